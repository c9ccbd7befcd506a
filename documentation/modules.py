"""The pages of the Python modules that others may build on, which mkdocstrings fills."""

from __future__ import annotations

from collections.abc import Iterator

from documentation.pages import Page, navigation, page

MODULES = {
    "Bufferizing": (
        "xdsl_bufferization.one_shot.bufferization",
        "xdsl_bufferization.transforms.one_shot_bufferize",
        "xdsl_bufferization.support.options",
        "xdsl_bufferization.support.diagnostics",
    ),
    "Interfaces": (
        "xdsl_bufferization.interfaces.registry",
        "xdsl_bufferization.interfaces.bufferizable",
        "xdsl_bufferization.interfaces.subset",
        "xdsl_bufferization.interfaces.allocation",
        "xdsl_bufferization.interfaces.view_like",
        "xdsl_bufferization.interfaces.buffer_effects",
        "xdsl_bufferization.interfaces.region_branch",
        "xdsl_bufferization.interfaces.loop_like",
        "xdsl_bufferization.interfaces.copy",
        "xdsl_bufferization.interfaces.destination_style",
        "xdsl_bufferization.interfaces.reify",
        "xdsl_bufferization.interfaces.parallel_combining",
    ),
    "Models to start from": (
        "xdsl_bufferization.models.shared.destinations",
        "xdsl_bufferization.models.shared.region_ops",
        "xdsl_bufferization.models.shared.control_flow",
        "xdsl_bufferization.interfaces.bufferizer",
    ),
    "Dialect conversion": ("xdsl_bufferization.former.conversion",),
    "Planning": ("xdsl_bufferization.planning",),
    "Checking": (
        "xdsl_bufferization.semantics.checking.check",
        "xdsl_bufferization.semantics.interpreter",
        "xdsl_bufferization.support.reading",
        "xdsl_bufferization.verification.functions",
    ),
}
"""By purpose: the modules, in the order in which they are shown."""


def pages() -> Iterator[Page]:
    """A page for each purpose, and the navigation."""
    files = {title: f"{title.lower().replace(' ', '-')}.md" for title in MODULES}
    for title, modules in MODULES.items():
        yield page(
            f"python/{files[title]}",
            f"# {title}",
            *(f"::: {module}" for module in modules),
        )
    yield navigation("python", files.items())
