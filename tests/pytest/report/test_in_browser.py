"""The report as a browser shows it, without a network. It takes Debian's `chromium`."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Literal

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization.report.html import PALETTE, to_html
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import Report
from xdsl_bufferization.report.source import find_source

if TYPE_CHECKING:  # it may not be installed
    from playwright.sync_api import FloatRect, Locator, Page

EVIL = "<img src=x onerror=alert(1)>"
PROGRAM = f"""
func.func @three(%x: f32, %n: index) -> memref<8xf32> {{
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%0] : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %b[%0] : memref<8xf32>
  memref.store %x, %a[%0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.store %x, %c[%0] : memref<8xf32>
  memref.store %x, %b[%0] : memref<8xf32>
  func.return %b : memref<8xf32>
}}
func.func @planned(%x: f32) {{
  %0 = arith.constant 0 : index
  %64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<128xi8>
  %lower = memref.view %arena[%0][] : memref<128xi8> to memref<16xf32>
  %upper = memref.view %arena[%64][] : memref<128xi8> to memref<16xf32>
  memref.store %x, %lower[%0] : memref<16xf32>
  memref.store %x, %upper[%0] : memref<16xf32>
  memref.store %x, %lower[%0] : memref<16xf32>
  memref.store %x, %upper[%0] : memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  func.return
}}
func.func @"{EVIL}"(%x: f32) {{
  %0 = arith.constant 0 : index
  %e = memref.alloc() : memref<4xf32, "{EVIL}">
  memref.store %x, %e[%0] : memref<4xf32, "{EVIL}">
  memref.dealloc %e : memref<4xf32, "{EVIL}">
  func.return
}}
"""


@pytest.fixture(scope="module")
def page(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The report in a browser that has no network, and in which nothing may go wrong."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report(), encoding="utf-8")
    problems: list[str] = []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        page = browser.new_context(offline=True).new_page()
        watch(page, problems)
        page.goto(path.as_uri())
        yield page
        browser.close()
    assert not problems


def report() -> str:
    module = parse_module(PROGRAM)
    source = find_source(module, Context())
    return to_html(Report("", [*memory_functions(module, source).values()]))


def watch(page: Page, problems: list[str]) -> None:
    """Note what a page that needs nothing does not do."""

    def requested(url: str) -> None:
        if not url.startswith(("file:", "data:", "blob:")):
            problems.append(f"asks for {url}")

    page.on("request", lambda request: requested(request.url))
    page.on("console", lambda message: problems.append(f"says {message.text}"))
    page.on("pageerror", lambda error: problems.append(f"fails: {error}"))
    page.on("dialog", lambda dialog: problems.append(f"asks {dialog.message}"))


@pytest.fixture(autouse=True)
def as_ever(page: Page) -> None:
    """Begin with a wide, light page."""
    page.set_viewport_size({"width": 1000, "height": 800})
    page.emulate_media(color_scheme="light")


def chart(page: Page, number: int) -> Locator:
    """They are those of @three, of @planned, of its arena, and of the last function."""
    return page.locator(".chart").nth(number)


_STROKE = 5
"""The most pixels that the lines around two areas take."""


def areas(chart: Locator) -> tuple[Locator, Locator]:
    """For when buffers are there, and for when they are in use."""
    return chart.locator(".areas .there"), chart.locator(".areas .used")


def box_of(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def hover_over(chart: Locator, number: int) -> str:
    """What the chart says of an area while the pointer is there."""
    area = chart.locator(".areas g").nth(number)
    area.scroll_into_view_if_needed()
    box = box_of(area)
    below = chart.page.evaluate_handle(
        "([x, y]) => document.elementFromPoint(x, y).closest('g')",
        [box["x"] + box["width"] / 2, box["y"] + box["height"] / 3],
    )
    return str(below.evaluate("area => area.querySelector('title').textContent"))


def colors_in(image: bytes) -> dict[tuple[int, int, int], int]:
    """How many pixels of each color there are."""
    pillow = pytest.importorskip("PIL.Image")
    pixels = pillow.open(BytesIO(image)).convert("RGB")
    return {
        color: number
        for number, color in pixels.getcolors(maxcolors=pixels.width * pixels.height)
    }


def rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def test_buffers_are_areas_that_tell_about_themselves(page: Page):
    assert page.title() == "Bufferization report"
    there, in_use = areas(chart(page, 0))
    assert there.count() == in_use.count() == 3
    names = chart(page, 0).locator("text.name").all_text_contents()
    assert sorted(names) == ["%a", "%b", "%c"]

    hover = hover_over(chart(page, 0), 0)
    assert "%a : memref<8xf32>" in hover
    assert "32 bytes, freed" in hover
    assert "first use memref.store, line 5" in hover
    assert "memref.dealloc %a : memref<8xf32>" in hover


def test_the_axis_is_that_of_lines(page: Page):
    words = chart(page, 0).locator(".words text.tick")
    assert words.last.text_content() == "line"
    ticks = {text.text_content(): box_of(text) for text in words.all()}
    middle = {line: ticks[line]["x"] + ticks[line]["width"] / 2 for line in ("4", "10")}
    there, _ = areas(chart(page, 0))
    a = box_of(there.nth(0))
    # It is made in line 4, and freed in line 9.
    assert abs(a["x"] - middle["4"]) < _STROKE
    assert abs(a["x"] + a["width"] - middle["10"]) < _STROKE


def test_the_peak_is_what_is_highest(page: Page):
    mark = chart(page, 0).locator("text.peak")
    assert mark.text_content() == "peak: 64 bytes, line 6"
    there, _ = areas(chart(page, 0))
    plot = box_of(chart(page, 0).locator(".plot"))
    peak = box_of(chart(page, 0).locator("line.peak"))
    a, b = (box_of(there.nth(number)) for number in range(2))
    # %b lies on %a, and is made at the peak.
    assert abs(b["x"] - peak["x"]) < _STROKE
    assert abs(b["y"] - plot["y"]) < _STROKE
    assert abs(a["y"] - (plot["y"] + plot["height"] / 2)) < _STROKE
    alive = page.locator(".alive").first.locator("td.name").all_text_contents()
    assert alive == ["%a", "%b"]
    labels = chart(page, 0).locator("text.name").all_text_contents()
    assert {*alive} <= {*labels}


def test_an_arena_is_drawn_by_offsets(page: Page):
    titles = page.locator("h3").all_text_contents()
    assert titles == ["Heap", "Heap", "Arena %arena", "Heap"]
    there, _ = areas(chart(page, 2))
    assert there.count() == 2
    lower, upper = (box_of(there.nth(number)) for number in range(2))
    # They are in use at the same time.
    assert upper["y"] + upper["height"] < lower["y"] + _STROKE
    assert lower["x"] < upper["x"] < lower["x"] + lower["width"]
    assert "offset 64" in hover_over(chart(page, 2), 1)


def test_a_search_leaves_the_rows_that_have_the_text(page: Page):
    rows = page.locator("section").first.locator("table").last.locator("tbody tr")
    page.get_by_role("searchbox").fill("%B")
    assert [row.inner_text().split()[0] for row in rows.all() if row.is_visible()] == [
        "%b"
    ]
    page.get_by_role("searchbox").fill("")
    assert [row.inner_text().split()[0] for row in rows.all() if row.is_visible()] == [
        "%a",
        "%b",
        "%c",
    ]


def test_tables_are_sorted_by_a_click(page: Page):
    table = page.locator("details table").nth(1)
    bytes_, made = (table.locator("th button").nth(number) for number in (2, 3))
    sizes = table.locator("td.number")
    first = sizes.all_text_contents()
    bytes_.click()
    assert sizes.all_text_contents() == ["64", "64", "128"]
    assert table.locator("th[aria-sort=ascending]").text_content() == "bytes"
    bytes_.press("Enter")
    assert sizes.all_text_contents() == ["128", "64", "64"]
    assert table.locator("th[aria-sort]").count() == 1
    made.click()
    assert sizes.all_text_contents() == first


def test_the_picture_is_not_blank(page: Page):
    box = box_of(chart(page, 0))
    assert 900 < box["width"] <= 1000
    assert 300 < box["height"] < 800
    colors = colors_in(chart(page, 0).screenshot())
    for color in PALETTE[:3]:
        assert colors.get(rgb(color), 0) > 1000, color


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(page: Page, scheme: Literal["light", "dark"]):
    page.emulate_media(color_scheme=scheme)
    colors = colors_in(page.screenshot())
    background = max(colors, key=lambda color: colors[color])
    tick = chart(page, 0).locator("text.tick").first
    written = str(tick.evaluate("tick => getComputedStyle(tick).fill"))
    text = [int(part) for part in written.removeprefix("rgb(")[:-1].split(",")]
    is_dark = scheme == "dark"
    assert (max(background) < 60) == is_dark
    assert (min(text) > 120) == is_dark


def test_a_phone_shows_it_without_scrolling_sideways(page: Page):
    page.set_viewport_size({"width": 390, "height": 800})
    assert 300 < box_of(chart(page, 0))["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_phone_shows_the_peaks_of_all_functions(page: Page):
    page.set_viewport_size({"width": 390, "height": 800})
    for cell in page.locator("nav td:nth-child(2)").all():
        box = box_of(cell)
        assert 0 < box["x"]
        assert box["x"] + box["width"] <= 390


def test_what_the_program_says_is_text(page: Page):
    assert page.locator("img").count() == 0
    assert EVIL in (page.locator("h2").last.text_content() or "")
    assert EVIL in hover_over(chart(page, 3), 0)
