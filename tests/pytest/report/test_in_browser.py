"""The report as a browser shows it, without a network. It takes Debian's `chromium`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Literal

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization.report.html import to_html
from xdsl_bufferization.report.html.bars import COLORS
from xdsl_bufferization.report.memory.function import memory_function
from xdsl_bufferization.report.model import Report
from xdsl_bufferization.report.source import find_source
from xdsl_bufferization.support.call_graph import functions_in

if TYPE_CHECKING:  # it may not be installed
    from playwright.sync_api import Locator, Page

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
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The report in a browser that has no network, and in which nothing may go wrong."""
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium; on Debian: apt-get install chromium")
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
    functions = [memory_function(f, source) for f in functions_in(module)]
    return to_html(Report("", functions))


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
    return page.locator(".plotly-graph-div").nth(number)


def rectangles(chart: Locator) -> tuple[Locator, Locator]:
    """For when buffers are there, and for when they are in use."""
    there, in_use = chart.locator(".barlayer .trace").all()
    return there.locator(".point path"), in_use.locator(".point path")


def hover_over(chart: Locator, rectangle: Locator) -> str:
    """What the chart says of it while the pointer is there."""
    rectangle.scroll_into_view_if_needed()
    box = rectangle.bounding_box()
    assert box is not None
    chart.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    chart.locator(".hoverlayer .hovertext").wait_for()
    return chart.locator(".hoverlayer").text_content() or ""


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


def test_buffers_are_rectangles_that_tell_about_themselves(page: Page):
    assert page.title() == "Bufferization report"
    there, in_use = rectangles(chart(page, 0))
    assert there.count() == in_use.count() == 3
    assert chart(page, 0).locator(".scatterlayer .js-line").count() == 1
    peak = chart(page, 0).locator(".annotation-text").text_content()
    assert peak == "peak: 64 B, line 6"

    hover = hover_over(chart(page, 0), in_use.nth(0))
    assert "%a : memref<8xf32>" in hover
    assert "32 bytes, freed" in hover
    assert "first use memref.store, line 5" in hover
    assert "memref.dealloc %a : memref<8xf32>" in hover


def test_an_arena_is_drawn_by_offsets(page: Page):
    titles = page.locator("h3").all_text_contents()
    assert titles == ["Heap", "Heap", "Arena %arena", "Heap"]
    there, _ = rectangles(chart(page, 2))
    assert there.count() == 2
    lower, upper = (there.nth(number).bounding_box() for number in range(2))
    assert lower is not None
    assert upper is not None
    # They are in use at the same time, with lines of a pixel around them.
    assert upper["y"] + upper["height"] < lower["y"] + 3
    assert lower["x"] < upper["x"] < lower["x"] + lower["width"]
    assert "offset 64" in hover_over(chart(page, 2), there.nth(1))


def test_the_picture_is_not_blank(page: Page):
    box = chart(page, 0).bounding_box()
    assert box is not None
    assert 900 < box["width"] <= 1000
    assert 400 < box["height"] < 800
    colors = colors_in(chart(page, 0).screenshot())
    for ending in ("freed", "returned", "never freed"):
        assert colors.get(rgb(COLORS[ending]), 0) > 1000, ending


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(page: Page, scheme: Literal["light", "dark"]):
    page.emulate_media(color_scheme=scheme)
    colors = colors_in(page.screenshot())
    background = max(colors, key=lambda color: colors[color])
    tick = chart(page, 0).locator(".xtick text").first
    written = str(tick.evaluate("tick => getComputedStyle(tick).fill"))
    text = [int(part) for part in written.removeprefix("rgb(")[:-1].split(",")]
    is_dark = scheme == "dark"
    assert (max(background) < 60) == is_dark
    assert (min(text) > 200) == is_dark


def test_a_phone_shows_it_without_scrolling_sideways(page: Page):
    page.set_viewport_size({"width": 390, "height": 800})
    # plotly draws anew some time after.
    for _ in range(100):
        if width_of(chart(page, 0)) <= 390:
            break
        page.wait_for_timeout(50)
    assert 300 < width_of(chart(page, 0)) <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def width_of(chart: Locator) -> float:
    """That of the drawing, in pixels."""
    box = chart.locator(".main-svg").first.bounding_box()
    assert box is not None
    return box["width"]


def test_what_the_program_says_is_text(page: Page):
    assert page.locator("img").count() == 0
    assert EVIL in (page.locator("h2").last.text_content() or "")
    _, in_use = rectangles(chart(page, 3))
    assert EVIL in hover_over(chart(page, 3), in_use)
