"""The command `xdsl-bufferization-gui`, and what a user sees, clicks and types."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from tests.environments import PROJECT
from xdsl_bufferization.interactive.command import main
from xdsl_bufferization.universe import UNIVERSE

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from xdsl_bufferization.interactive.app import BufferizationApp

    Steps = Callable[[BufferizationApp, Pilot[None]], Awaitable[None]]


@pytest.fixture
def _application():
    """Skip a test where the application cannot run."""
    pytest.importorskip("textual", reason="needs xdsl-bufferization[gui]")
    pytest.importorskip("pyclip", reason="needs xdsl-bufferization[gui]")


needs_application = pytest.mark.usefixtures("_application")


def drive(steps: Steps, passes: str = "") -> None:
    """Start the application on a terminal in memory, and take the steps."""
    from xdsl_bufferization.interactive.app import BufferizationApp

    async def run() -> None:
        all_passes = Universe.get_multiverse().all_passes
        pipeline = PassPipeline.parse_spec(all_passes, passes).passes
        app = BufferizationApp(pass_pipeline=pipeline)
        async with app.run_test(size=(150, 50), notifications=True) as pilot:
            await until(pilot, lambda: bool(app.output_text_area.text))
            await steps(app, pilot)

    asyncio.run(run())


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Let the application work until it shows what it is expected to, or for too long."""
    for _ in range(200):
        await pilot.pause(0.05)
        if condition():
            return
    pytest.fail(f"still on {pilot.app.screen}")


def listed_passes(app: BufferizationApp) -> list[str]:
    return [str(node.label) for node in app.passes_tree.root.children]


def pass_node(app: BufferizationApp, name: str) -> Any:
    return app.passes_tree.root.children[listed_passes(app).index(name)]


def output(app: BufferizationApp) -> str:
    return app.output_text_area.text


@needs_application
def test_pass_with_options_bufferizes_the_initial_program():
    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        from xdsl_bufferization.interactive.app import OptionsScreen

        ours = listed_passes(app)[: len(UNIVERSE.all_passes)]
        # What does the main job comes first.
        assert ours[:2] == ["bufferize", "one-shot-bufferize"]
        assert {*ours} == {*UNIVERSE.all_passes}
        assert ours[6:] == sorted(ours[6:])
        assert "tensor.insert" in output(app)

        app.passes_tree.move_cursor(pass_node(app, "one-shot-bufferize"))
        app.passes_tree.action_select_cursor()
        await until(pilot, lambda: isinstance(app.screen, OptionsScreen))
        screen = app.screen
        assert isinstance(screen, OptionsScreen)

        def explains(text: str) -> Callable[[], bool]:
            return lambda: text in str(screen.explanation.render())

        await until(pilot, explains("with as few copies as possible"))
        typed = screen.argument_text_area.text
        assert "bufferize-function-boundaries=false" in typed
        # The defaults can be taken as they are.
        assert not screen.enter_button.disabled

        for typed, problem in (
            ("bufferize-function-boundaries=tru", "it takes true or false"),
            ("no-such-option=1", "has no option 'no-such-option'"),
            ("allow-unknown-ops=", "Error parsing pass pipeline"),
            ("},cse{", "not the options of one-shot-bufferize alone"),
        ):
            screen.argument_text_area.load_text(typed)
            await until(pilot, explains(problem))
            assert screen.enter_button.disabled

        screen.argument_text_area.load_text("bufferize-function-boundaries=true")
        await until(pilot, lambda: not screen.enter_button.disabled)
        await pilot.click("#enter_button")
        await until(pilot, lambda: "memref" in output(app))
        assert "tensor" not in output(app)
        assert output(app).count("memref.alloc") == 1
        assert "bufferize_function_boundaries=true" in app.get_query_string()

    drive(steps)


@needs_application
@pytest.mark.slow
def test_keys_alone_do_it():
    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        from xdsl_bufferization.interactive.app import OptionsScreen

        for _ in range(1 + listed_passes(app).index("bufferize")):
            await pilot.press("down")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, OptionsScreen))
        # What is typed goes in front of the defaults, and Enter takes no invalid options.
        await pilot.press("x", "enter")
        await pilot.pause()
        assert isinstance(app.screen, OptionsScreen)
        assert app.screen.argument_text_area.text.startswith("x")
        await pilot.press("backspace")
        screen = app.screen
        await until(pilot, lambda: not screen.enter_button.disabled)
        await pilot.press("enter")
        await until(pilot, lambda: "memref" in output(app))
        assert [chosen.name for chosen in app.pass_pipeline] == ["bufferize"]

    drive(steps)


@needs_application
@pytest.mark.slow
def test_space_opens_what_may_follow_and_escape_goes_back():
    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        from xdsl_bufferization.interactive.app import OptionsScreen

        for _ in range(1 + listed_passes(app).index("buffer-hoisting")):
            await pilot.press("down")
        await pilot.press("space")
        await until(pilot, lambda: bool(pass_node(app, "buffer-hoisting").children))
        await pilot.press("space")
        app.passes_tree.move_cursor(pass_node(app, "bufferize"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, OptionsScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, OptionsScreen))
        assert app.pass_pipeline == ()
        assert app.focused is app.passes_tree

    drive(steps)


@needs_application
@pytest.mark.slow
def test_refusal_is_shown_and_can_be_taken_back():
    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        assert "causes a read-after-write conflict" in output(app)
        assert listed_passes(app) == []

        await pilot.click("#remove_last_pass_button")
        await until(pilot, lambda: bool(listed_passes(app)))
        assert "tensor.insert" in output(app)

        # This one refuses a program on tensors when the application looks what may follow.
        pass_node(app, "finalizing-bufferize").expand()
        await until(pilot, lambda: bool(app.screen.query("Toast")))
        assert list(pass_node(app, "finalizing-bufferize").children) == []

        app.input_text_area.load_text("func.func @")
        await until(pilot, lambda: "Unexpected end of file" in output(app))

    drive(
        steps,
        passes="one-shot-bufferize{bufferize-function-boundaries must-be-in-place}",
    )


@needs_application
@pytest.mark.filterwarnings("ignore:Unable to remove cast", "ignore:hello")
def test_condensed_list_holds_what_changes_the_program():
    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        assert "expand-realloc" in listed_passes(app)
        await pilot.click("#condense_button")
        await until(pilot, lambda: "expand-realloc" not in listed_passes(app))
        assert {"bufferize", "one-shot-bufferize"} <= {*listed_passes(app)}

    drive(steps)


@needs_application
@pytest.mark.slow
def test_output_is_copied_where_there_is_no_clipboard(monkeypatch: pytest.MonkeyPatch):
    import pyclip  # pyright: ignore[reportMissingTypeStubs] - it has none

    def fail(text: str) -> None:
        raise pyclip.ClipboardSetupException("Could not setup clipboard")

    monkeypatch.setattr(pyclip, "copy", fail)

    async def steps(app: BufferizationApp, pilot: Pilot[None]) -> None:
        await pilot.click("#copy_output_button")
        await until(pilot, lambda: app.clipboard == output(app))
        await pilot.click("#copy_query_button")
        await until(pilot, lambda: app.clipboard == "xdsl-opt -p 'bufferize'")

    drive(steps, passes="bufferize")


@needs_application
@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["no_such_file.mlir"], "no_such_file.mlir: No such file or directory"),
        (["-p", "no-such-pass"], "there is no pass 'no-such-pass'"),
        (["-p", "bufferize{no-such-option=1}"], "has no option 'no-such-option'"),
        (["-p", "bufferize{"], "Expected argument name here"),
    ],
)
def test_bad_arguments(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith("xdsl-bufferization-gui: ")
    assert problem in said


@needs_application
def test_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "program.mlir"
    program.write_bytes(b"\xff\xfe")
    assert main([str(program)]) == 1
    assert f"{program}:1:1: the byte" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["pyclip", "textual"])
def test_what_is_not_installed_is_said(package: str):
    call = (
        f"import sys; sys.modules['{package}'] = None; "
        "from xdsl_bufferization.interactive.command import main; sys.exit(main([]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", call],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    # With neither, it is the one that is looked for first.
    assert run.stderr in {
        f"xdsl-bufferization-gui: {name} is not installed: "
        "pip install 'xdsl-bufferization[gui]'\n"
        for name in (package, "pyclip")
    }
