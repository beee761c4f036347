"""Only the ledger writes deliveries and mails: no other module holds a way to."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
WRITES = {"create", "update", "delete", "save", "get_or_create", "update_or_create"}
WRITES |= {"bulk_create", "bulk_update", "save_base", "raw", "_raw_delete"}
WRITES |= {f"a{name}" for name in WRITES}
MODELS = {"Delivery", "Mail"}
RELATED = {"deliveries", "mails"}  # how users, jobs and mails lead to rows
SQL = re.compile(
    r"(INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE|COPY)\s+(TABLE\s+|ONLY\s+)?"
    r'"?deliveries_(delivery|mail)\b',
    re.IGNORECASE,
)


def modules() -> list[Path]:
    """Every module of the product but the ledger and the migrations."""
    found = [
        path
        for app in ("accounts", "deliveries", "jobs", "scout_project")
        for path in (ROOT / app).rglob("*.py")
    ]
    allowed = ROOT / "deliveries" / "ledger"
    return [p for p in found if "migrations" not in p.parts and allowed not in p.parents]


def reaches(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression leads to a row or a set of rows."""
    return any(
        (isinstance(n, ast.Name) and n.id in names)
        or (isinstance(n, ast.Attribute) and n.attr in RELATED | MODELS)
        for n in ast.walk(node)
    )


def names_of_rows(tree: ast.AST) -> set[str]:
    """The models, and every name that is given something which leads to them."""
    names, size = set(MODELS), 0
    while size < len(names):
        size = len(names)
        for node in ast.walk(tree):
            targets, value = _binding(node)
            if value is not None and reaches(value, names):
                names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return names


def _binding(node: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    match node:
        case ast.Assign(targets=targets, value=value):
            return targets, value
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            return [target], value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            return [target], value
        case ast.withitem(optional_vars=ast.expr() as target, context_expr=value):
            return [target], value
    return [], None


def writes(source: str) -> list[str]:
    """What in a module writes deliveries or mails."""
    tree = ast.parse(source)
    names = names_of_rows(tree)
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in MODELS:
                found.append(ast.unparse(node))
            case ast.Call(func=ast.Attribute(attr=attr, value=value)):
                if attr in WRITES and reaches(value, names) and not _is_plain(value, names):
                    found.append(ast.unparse(node))
            case ast.Constant(value=str(text)) if SQL.search(text):
                found.append(text)
    return found


def _is_plain(value: ast.expr, names: set[str]) -> bool:
    """Whether it is our package `deliveries` or a dict made of rows, not rows."""
    return isinstance(value, ast.Name) and value.id in RELATED - names


def test_no_other_module_writes():
    found = {str(path.relative_to(ROOT)): writes(path.read_text("utf-8")) for path in modules()}
    assert len(found) > 50
    assert {path: writing for path, writing in found.items() if writing} == {}


@pytest.mark.parametrize(
    "source",
    [
        "Delivery.objects.filter(pk=1).update(status='sent')",
        "Delivery.objects.create(id=1)",
        "Mail.objects.bulk_create([])",
        "Mail(id=1).save()",
        "row = Mail.objects.get(); row.status = 'sent'; row.save()",
        "rows = Delivery.objects.all(); some = rows.filter(pk=1); some.delete()",
        "for row in Delivery.objects.all(): row.delete()",
        "user.deliveries.all().delete()",
        "user.mails.update(status='void')",
        "models.Mail.objects.update(status='void')",
        "Delivery.objects.raw('x')",
        "cursor.execute('UPDATE deliveries_mail SET status = 1')",
        "cursor.execute('''insert into\\n deliveries_delivery (id) values (1)''')",
        "X = 'DELETE FROM deliveries_delivery'",
    ],
)
def test_each_way_to_write_is_seen(source):
    assert writes(source)


@pytest.mark.parametrize(
    "source",
    [
        "MailProvider.objects.update_or_create(name='x')",
        "Run.objects.create(kind='scan')",
        "Delivery.objects.filter(pk=1).values_list('pk')",
        "ledger.finish('x', 'sent', now=now)",
        "cursor.execute('DELETE FROM deliveries_lease')",
        "hashlib.sha256().update(b'x')",
    ],
)
def test_everything_else_is_let_through(source):
    assert writes(source) == []
