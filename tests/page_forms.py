"""Reading the forms of a page as a browser does."""

from html.parser import HTMLParser

Fields = dict[str, list[str]]


class _Reader(HTMLParser):
    def __init__(self, action: str) -> None:
        super().__init__()
        self.action, self.inside = action, False
        self.fields: Fields = {}
        self.area: str | None = None
        self.select: str | None = None

    def _add(self, name: str | None, value: str | None) -> None:
        if self.inside and name:
            self.fields.setdefault(name, []).append(value or "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = given.get("action") == self.action
        elif tag == "input" and (
            given.get("type") not in ("checkbox", "radio") or "checked" in given
        ):
            ticked = given.get("type") in ("checkbox", "radio")
            self._add(given.get("name"), given.get("value", "on" if ticked else ""))
        elif tag == "textarea":
            self.area = given.get("name")
            self._add(self.area, "")
        elif tag == "select":
            self.select = given.get("name")
        elif tag == "option" and self.select and "selected" in given:
            self._add(self.select, given.get("value"))

    def handle_data(self, data: str) -> None:
        if self.inside and self.area:
            self.fields[self.area][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self.inside and self.area:
            self.fields[self.area][-1] = self.fields[self.area][-1].removeprefix("\n")
            self.area = None
        elif tag == "select":
            self.select = None
        elif tag == "form":
            self.inside = False


def form_of(page: str, action: str) -> Fields:
    """What a browser would post if nothing was changed: names to values."""
    reader = _Reader(action)
    reader.feed(page)
    assert reader.fields, f"no form leads to {action}"
    return reader.fields
