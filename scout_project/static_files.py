"""Static files named by their content, where they were collected."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Whitenoise's storage; a file nobody collected never breaks a page, or an opt-out."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """The collected file's name, or the plain one when it was not collected."""
        try:
            found: str = super().stored_name(name)
        except ValueError:
            return name
        return found
