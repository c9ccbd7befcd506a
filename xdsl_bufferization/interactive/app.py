"""
xDSL's terminal interface, for passes of all packages, which may refuse a program, and the screen
on which the options of a pass are entered.

xDSL's application only lists xDSL's own passes, and ends with a traceback when a pass raises
while the application tries which passes may follow.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import ClassVar

import pyclip  # pyright: ignore[reportMissingTypeStubs] - it has none
import xdsl.interactive.add_arguments_screen
import xdsl.interactive.app
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Button, Static, TextArea, Tree
from xdsl.dialects.builtin import ModuleOp
from xdsl.interactive.add_arguments_screen import AddArguments
from xdsl.interactive.app import InputApp
from xdsl.interactive.passes import AvailablePass
from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, PassFailedException

from xdsl_bufferization.support.names import printable_lines
from xdsl_bufferization.support.pass_options import BufferizationPass, help_text
from xdsl_bufferization.universe import UNIVERSE


class OptionsScreen(AddArguments):
    """
    xDSL's screen for options, which starts with valid options, and shows the documentation
    of the pass or, below invalid options, the error.
    """

    AUTO_FOCUS = "#argument_text_area"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take the options", priority=True),
        Binding("escape", "leave", "Cancel", priority=True),
    ]
    # A relative path would be resolved in this folder.
    CSS_PATH = str(
        Path(xdsl.interactive.add_arguments_screen.__file__).with_name(
            "add_arguments_screen.tcss"
        )
    )
    DEFAULT_CSS = """
    OptionsScreen VerticalScroll { width: 85%; height: 1fr; padding: 0 2; }
    OptionsScreen #explanation.error { color: $text-error; }
    """

    def __init__(self, selected_pass_type: type[ModulePass]):
        super().__init__(selected_pass_type)
        self.argument_text_area.load_text(_initial_options(selected_pass_type))
        self.explanation = Static(id="explanation", markup=False)

    def compose(self) -> ComposeResult:
        yield from super().compose()
        with VerticalScroll():
            yield self.explanation

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter presses a button that has the focus, and takes the options that are edited."""
        return action != "take" or self.focused is self.argument_text_area

    def action_take(self) -> None:
        """Take the options, if they are valid."""
        self.enter_button.press()

    def action_leave(self) -> None:
        """Go back without the pass."""
        self.dismiss(None)

    @on(TextArea.Changed, "#argument_text_area")
    def update_selected_pass_value(self, event: TextArea.Changed | None = None) -> None:
        """Make the pass from the options entered so far, or show why they are invalid."""
        if event is not None:
            # xDSL's method ends the application when a pass of this package raises.
            event.prevent_default()
        name = self.selected_pass_type.name
        try:
            spec, *more = parse_pipeline(f"{name}{{{self.argument_text_area.text}}}")
            if more:
                raise ValueError(f"these are not the options of {name} alone")
            self.selected_pass_value = self.selected_pass_type.from_spec(spec)
            text = _explanation(self.selected_pass_type)
        except (ArgSpecParseError, PassFailedException, ValueError) as error:
            self.selected_pass_value = None
            text = printable_lines(str(error))
        self.explanation.update(text)
        self.explanation.set_class(self.selected_pass_value is None, "error")


def _explanation(selected: type[ModulePass]) -> str:
    if issubclass(selected, BufferizationPass):
        return help_text(selected)
    return inspect.getdoc(selected) or ""


def _initial_options(selected: type[ModulePass]) -> str:
    """
    The options with their defaults or, without one, the types of their values. Options that
    are empty by default are left out, since an empty value cannot be written.
    """
    return " ".join(
        f"{name.replace('_', '-')}={kind if default is None else default}"
        for name, kind, default in get_pass_option_infos(selected)
        if default not in ("()", "none")
    )


INITIAL_PROGRAM = """\
// Choose bufferize, above, with the arrow keys and Enter, and take its options with Enter.
// Which function reads before it writes? And with one-shot-bufferize and its option
// bufferize-function-boundaries=true: which function copies?

func.func @set(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %set : tensor<8xf32>
}

func.func @exchange(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  func.return %set, %old : tensor<8xf32>, f32
}
"""
"""The text of the input area if no file is given."""

FIRST_PASSES = (
    "bufferize",
    "one-shot-bufferize",
    "eliminate-copies",
    "eliminate-moves",
    "buffer-deallocation-pipeline",
    "plan-static-memory",
)
"""The passes that do the main job: at the top of the list, in the order of use."""


def pass_order(name: str) -> tuple[int, bool, str]:
    """The sort key: first `FIRST_PASSES`, then the others of this package, then the rest."""
    first = FIRST_PASSES.index(name) if name in FIRST_PASSES else len(FIRST_PASSES)
    return first, name not in UNIVERSE.all_passes, name


class BufferizationApp(InputApp):
    """
    xDSL's application with the dialects and passes of all packages in the environment, the
    passes of this package first, and before them `FIRST_PASSES`.
    """

    # A relative path would be resolved in this folder.
    CSS_PATH = str(Path(xdsl.interactive.app.__file__).with_name("app.tcss"))
    # xDSL's titles are dark red, also on dark.
    CSS = """
    Screen #input_container, Screen #output_container,
    Screen #input_ops_container, Screen #output_ops_container,
    OptionsScreen #argument_text_area { border-title-color: $text; }
    """

    def __init__(
        self,
        file_path: str | None = None,
        input_text: str | None = None,
        pass_pipeline: tuple[ModulePass, ...] = (),
    ):
        self._available: tuple[object, tuple[AvailablePass, ...]] = (None, ())
        multiverse = Universe.get_multiverse()
        names = sorted(multiverse.all_passes, key=pass_order)
        super().__init__(
            tuple(multiverse.all_dialects.items()),
            tuple((name, multiverse.all_passes[name]()) for name in names),
            file_path,
            INITIAL_PROGRAM if input_text is None else input_text,
            pass_pipeline,
        )

    def on_ready(self) -> None:
        """Focus the passes: the list of chosen ones is still empty."""
        self.passes_tree.focus()

    def compute_available_pass_list(self) -> tuple[AvailablePass, ...]:
        """The passes that may follow; none after a pass that refuses the program."""
        if not isinstance(self.current_module, ModuleOp):
            return super().compute_available_pass_list()
        # It is called often, and runs every pass in condensed mode.
        state = (self.input_text_area.text, self.pass_pipeline, self.condense_mode)
        if self._available[0] != state:
            try:
                available = super().compute_available_pass_list()
            except Exception:
                # The output area shows the error.
                available = ()
            self._available = (state, available)
        return self._available[1]

    @on(Tree.NodeExpanded, "#passes_tree")
    def expand_node_or_notify(
        self, event: Tree.NodeExpanded[type[ModulePass] | ModulePass]
    ) -> None:
        """Show the passes that may follow; none after a pass that refuses the program."""
        event.prevent_default()
        try:
            self.expand_tree_node(event)
        except Exception as error:
            self.expand_node(event.node, ())
            self.notify(printable_lines(str(error)), severity="error", markup=False)

    def get_pass_arguments(
        self,
        selected_pass_value: type[ModulePass],
        root_to_child_pass_list: tuple[ModulePass, ...],
    ) -> None:
        """Ask for the options of a pass, then append it to the pipeline."""

        def append(chosen: ModulePass | None) -> None:
            if chosen is not None:
                self.pass_pipeline = (
                    *self.pass_pipeline,
                    *root_to_child_pass_list,
                    chosen,
                )

        self.push_screen(OptionsScreen(selected_pass_value), append)

    @on(Button.Pressed, "#copy_query_button")
    def copy_command(self, event: Button.Pressed) -> None:
        """Copy the command to the clipboard."""
        event.prevent_default()
        self._copy(self.get_query_string())

    @on(Button.Pressed, "#copy_output_button")
    def copy_output_anyhow(self, event: Button.Pressed) -> None:
        """Copy the output to the clipboard."""
        event.prevent_default()
        self._copy(self.output_text_area.text)

    def _copy(self, text: str) -> None:
        try:
            # Annotated as returning NotImplemented.
            pyclip.copy(text)  # pyright: ignore[reportUnknownMemberType]
        except pyclip.ClipboardSetupException:
            # This machine has no clipboard, as over ssh, but most terminals do.
            self.copy_to_clipboard(text)
            self.notify("Copied to the terminal's clipboard")
