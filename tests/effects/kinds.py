"""What counts as a change of something outside: names of functions and methods, and SQL by words.

Judged by names alone, without types: better one `dict.update(key=…)` too many than one write too
few.  Not seen: related managers' `add`, `set` and `clear`, which sets have too, and what a library
writes when it is asked for something else (sessions, sign-ins, admin pages).  A lock that ends with
its transaction is no change: `select_for_update`, FOR UPDATE and its like, LOCK, advisory locks of
a transaction.  Outside a transaction Django or PostgreSQL refuses it, or it is gone at once.
"""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

Need = Literal["commit", "effect", "nowhere"]

OPAQUE: Final = "\0"  # stands for a part of a text that cannot be resolved
SQL_WRITES: Final = re.compile(
    r"\b(INSERT|(?<!FOR )(?<!FOR NO KEY )UPDATE|DELETE|TRUNCATE|MERGE|ALTER|CREATE|DROP|COPY"
    r"|NOTIFY|GRANT|REVOKE|NEXTVAL|SETVAL|PG_NOTIFY|PG_(TRY_)?ADVISORY_(LOCK|UNLOCK)\w*"
    r"|PG_(TERMINATE|CANCEL)_BACKEND)\b",
    re.IGNORECASE,
)
SQL_TRANSACTION: Final = re.compile(
    r"(^|;)\s*(BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE)\b", re.IGNORECASE
)
SQL_BEGINS: Final = re.compile(r"\s*[A-Za-z(/-]")


def _named(names: str, prefix: str = "") -> frozenset[str]:
    return frozenset(prefix + name for name in names.split())


_VERBS = "get post put patch delete head options request"
_ATOMIC: Final = _named("atomic set_autocommit on_commit set_rollback")
_TRANSACTION: Final = _ATOMIC | _named("commit rollback savepoint savepoint_commit")
_WRITES: Final = _named(
    "save create bulk_create bulk_update get_or_create update_or_create create_user"
    " create_superuser save_model save_related save_formset save_m2m save_new"
    " save_existing delete_model delete_queryset"
)
_SQL: Final = _named("execute executemany copy raw callproc")
_CACHE: Final = _named(
    "set add incr decr delete delete_many set_many get_or_set clear touch incr_version decr_version"
)
_METHODS: Final = _named(
    "send_messages send_message send_mail sendmail send_mass_mail write_text write_bytes mkdir"
    " rmdir unlink rename touch chmod symlink_to hardlink_to async_task call_command"
)
_WRITING_FUNCTIONS: Final = _named(
    "allauth.core.ratelimit.consume django.contrib.auth.login django.contrib.auth.logout"
    " django.contrib.auth.update_session_auth_hash"
)
_FUNCTIONS: Final = (
    _named(f"{_VERBS} session Session", "requests.")
    | _named(f"{_VERBS} stream Client AsyncClient", "httpx.")
    | _named("request PoolManager HTTPConnectionPool HTTPSConnectionPool", "urllib3.")
    | _named("urlopen urlretrieve", "urllib.request.")
    | _named("HTTPConnection HTTPSConnection", "http.client.")
    | _named("SMTP SMTP_SSL LMTP", "smtplib.")
    | _named(
        "socket create_connection create_server socketpair fromfd getaddrinfo getnameinfo getfqdn"
        " gethostbyname gethostbyname_ex gethostbyaddr",
        "socket.",
    )
    | _named("psycopg.connect psycopg.Connection.connect ftplib.FTP imaplib.IMAP4 poplib.POP3")
    | _named("mail_admins mail_managers", "django.core.mail.")
    | _named(
        "open write replace rename renames remove unlink mkdir makedirs rmdir removedirs link"
        " symlink truncate ftruncate chmod chown utime mkfifo kill killpg _exit abort fork forkpty"
        " system popen posix_spawn posix_spawnp",
        "os.",
    )
    | _named("run call check_call check_output getoutput getstatusoutput Popen", "subprocess.")
    | _named("create_subprocess_exec create_subprocess_shell open_connection", "asyncio.")
    | _named("multiprocessing.Process multiprocessing.Pool signal.raise_signal")
    | _named("async_task schedule async_iter async_chain", "django_q.tasks.")
)
_WHOLE_MODULES: Final = _named("shutil tempfile")
_ONLY_READ: Final = _named("which disk_usage get_terminal_size", "shutil.") | _named(
    "gettempdir gettempprefix", "tempfile."
)
_STARTS: Final = ("os.exec", "os.spawn")
_OPENERS: Final = _named("builtins.open io.open codecs.open gzip.open bz2.open lzma.open os.fdopen")
_ARCHIVES: Final = _named("tarfile.open zipfile.ZipFile tarfile.TarFile")


def need_of_function(path: str) -> Need | None:
    """What a function needs around it, by its dotted path from the import on."""
    module, _, name = path.rpartition(".")
    if module == "django.db.transaction" and name in _TRANSACTION:
        return "nowhere"
    if path in _WRITING_FUNCTIONS:
        return "commit"
    one_of_all = module in _WHOLE_MODULES and path not in _ONLY_READ and not name.endswith("Error")
    return "effect" if one_of_all or path in _FUNCTIONS or path.startswith(_STARTS) else None


def need_of_method(receiver: str, name: str) -> Need | None:
    """What an attribute of something unknown needs; `receiver`: the last name before the dot."""
    if name in _ATOMIC or (receiver == "connection" and name in _TRANSACTION):
        return "nowhere"
    if receiver in {"cache", "caches[]"} and _one_of(_CACHE, name):
        return "effect"
    if receiver == "transport" and name in {"open", "send"}:  # our own way out
        return "effect"
    if _one_of(_WRITES, name):
        return "commit"
    return "effect" if name in _METHODS else None


def need_of_value(path: str, name: str) -> Need | None:
    """What a function needs that is handed on as a value, whatever it is called with there."""
    if path in _OPENERS | _ARCHIVES:
        return "effect"
    return "commit" if name in {"delete", "execute", "executemany"} else None


def _one_of(names: frozenset[str], name: str) -> bool:
    """Whether it is one of these, or its twin for async code."""
    return name in names or (name[:1] == "a" and name[1:] in names)


def need_of_call(
    path: str,
    name: str,
    call: ast.Call,
    text: Callable[[ast.expr], str | None],
    *,
    is_method: bool,
) -> Need | None:
    """What a call needs for the sake of its arguments; `text` resolves constants."""
    if path in _OPENERS | _ARCHIVES:
        return "effect" if _writes_file(call, place=1) else None
    if not is_method:
        return None
    given, named = call.args, call.keywords
    if name in _SQL:
        return _need_of_sql(name, call, text, is_function=path == "copy.copy")
    needs: Mapping[str, tuple[Need, bool]] = {
        "delete": ("commit", not given),
        "update": ("commit", bool(named) and not given),
        "open": ("effect", _writes_file(call, place=0)),
        "replace": ("effect", len(given) == 1 and not named),  # Path's; a text's has two
        "send": ("effect", not given),  # a mail's own
    }
    need, is_so = needs.get(name.removeprefix("a"), ("commit", False))
    return need if is_so else None


def _writes_file(call: ast.Call, *, place: int) -> bool:
    """Whether the mode, at this place or named, may write; one that is no constant may."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    for mode in [*named, *call.args[place : place + 1]]:
        if not isinstance(mode, ast.Constant):
            return True
        if isinstance(mode.value, str) and set(mode.value) <= set("rwaxbt+|:gzx2"):
            return bool(set(mode.value) & set("wax+"))
    return any(keyword.arg is None for keyword in call.keywords)


def _need_of_sql(
    name: str, call: ast.Call, text: Callable[[ast.expr], str | None], *, is_function: bool
) -> Need | None:
    if name == "copy" and (is_function or not call.args):  # values.copy()
        return None
    named = [k.value for k in call.keywords if k.arg in {"sql", "query", "raw_query"}]
    statements = [text(statement) or OPAQUE for statement in [*call.args[:1], *named]]
    if any(SQL_TRANSACTION.search(statement) for statement in statements):
        return "nowhere"
    reads = [SQL_BEGINS.match(s) and not SQL_WRITES.search(s) for s in statements]
    return None if reads and all(reads) and name != "callproc" else "commit"
