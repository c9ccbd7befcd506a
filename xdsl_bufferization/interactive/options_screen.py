"""The screen on which the options of a pass are entered."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import ClassVar

import xdsl.interactive.add_arguments_screen
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static, TextArea
from xdsl.interactive.add_arguments_screen import AddArguments
from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, PassFailedException

from xdsl_bufferization.support.names import printable_lines
from xdsl_bufferization.support.option_help import help_text
from xdsl_bufferization.support.pass_options import BufferizationPass


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
