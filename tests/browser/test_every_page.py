"""What is asked of every page: accessible, small, steady, and whole on a narrow phone."""

import gzip
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.staticfiles import finders

from accounts.models import User
from tests.browser.pages import EVERYBODYS, OWN, a_user_with_everything
from tests.staff import staff

pytestmark = pytest.mark.process
MOST = 100_000  # bytes of a page: its HTML, and its files as they travel
_SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({type: "layout-shift", buffered: true});
    setTimeout(() => done(sum), 400);
})"""


@pytest.fixture
def reader(smtp) -> User:
    """Somebody with jobs sent, waiting and missed."""
    return a_user_with_everything()


def troubles(page) -> list[str]:
    """What axe calls serious or critical."""
    found = Axe().run(page).response["violations"]
    return [
        f"{page.url}: {each['id']}: {node['html'][:150]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def settled(page, path: str) -> None:
    """Go there, and wait for what htmx fetches."""
    page.goto(path)
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious(browse, reader, dark):
    found = []
    stranger, own = browse(dark=dark), browse(reader, dark=dark, width=390)
    for page, paths in ((stranger, EVERYBODYS), (own, OWN)):
        for path in paths(reader):
            settled(page, path)
            page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
            found += troubles(page)
    assert found == []


def test_staff_find_a_page_as_good_on_a_narrow_phone(browse, smtp):
    page = browse(staff(), width=320, dark=True)
    settled(page, "/second-factor/")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert troubles(page) == []


def test_no_page_is_wider_than_a_narrow_phone_or_shifts_while_it_loads(browse, reader):
    found = []
    for page, paths in ((browse(width=320), EVERYBODYS), (browse(reader, width=320), OWN)):
        for path in paths(reader):
            settled(page, path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            shifts = page.evaluate(_SHIFTS)
            if wide > 320 or shifts >= 0.1:
                found.append(f"{path}: {wide} px wide, shifts {shifts:.3f}")
    assert found == []


def test_every_page_has_a_title_of_its_own_one_heading_and_stays_small(client, reader):
    titles, found = {}, []
    for paths in (EVERYBODYS, OWN):
        for path in paths(reader):
            if paths is OWN:
                client.force_login(reader)
            html = client.get(path, headers={"x-forwarded-proto": "https"}).content.decode()
            title = " ".join(re.search("<title>(.*?)</title>", html, re.DOTALL)[1].split())
            titles.setdefault(title, []).append(path)
            size = len(html.encode()) + sum(map(_travelling, _files(html)))
            headings = len(re.findall("<h1", html))
            if size >= MOST or headings != 1:
                found.append(f"{path}: {size} bytes, {headings} main headings")
    assert found == []
    assert [paths for paths in titles.values() if len(paths) > 1] == []


def _files(html: str) -> set[str]:
    return set(re.findall(rf'(?:src|href)="{settings.STATIC_URL}([^"]+)"', html))


def _travelling(name: str) -> int:
    """A static file's bytes as Whitenoise sends them."""
    found = finders.find(name)
    assert isinstance(found, str), name
    return len(gzip.compress(Path(found).read_bytes(), 9))
