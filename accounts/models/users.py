"""Who there is: users, keyed by their address."""

from typing import Any, ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from accounts.checks_sql import UidOf, checked_email
from accounts.identity import normalise_email, uid_of


class UserManager(BaseUserManager["User"]):
    """Makes users whose key follows from their address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Insert a user; raises ValidationError for a bad address, IntegrityError for a taken one.

        Without a password the user can only sign in by a code.
        """
        address = checked_email(email)
        user = self.model(uid=uid_of(address), email=address, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Insert a user who may do everything in the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user with this address, however it is written when signing in."""
        return self.get(email=normalise_email(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """A person, keyed by the uid of the e-mail address."""

    uid = models.CharField(primary_key=True, max_length=400, editable=False)
    email = models.EmailField(unique=True, max_length=254)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(db_default=Now(), editable=False)
    # Jobs seen before this moment never come: set when an address signs up again after deletion.
    jobs_from = models.DateTimeField(null=True, blank=True, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()
    _stored_uid: str | None = None

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(name="user_uid_is_of_email", condition=Q(uid=UidOf("email"))),
            models.CheckConstraint(
                name="user_email_is_trimmed", condition=Q(email__regex=r"^\S+@\S+$")
            ),
            models.CheckConstraint(
                name="user_email_is_lowercase", condition=Q(email=Lower("email"))
            ),
        )

    def __str__(self) -> str:
        return self.email

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> Self:
        """Remember the key a row was loaded under, so that `save` can tell a changed one."""
        user = super().from_db(*args, **kwargs)
        user._stored_uid = user.uid
        return user

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert when new, else update the row it was loaded from; never somebody else's.

        Raises IntegrityError when the address is taken or was changed without its key,
        ValueError when the key was changed.
        """
        if "email" in self.__dict__:
            self.email = normalise_email(self.email)
        if self._state.adding:
            self.uid = self.uid or uid_of(self.email)
            kwargs["force_insert"] = True
        elif self._stored_uid != self.uid:
            raise ValueError("Load a user before saving, and leave the uid as it was loaded.")
        super().save(*args, **kwargs)
        self._stored_uid = self.uid
