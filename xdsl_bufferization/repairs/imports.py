"""Doing something once a module has been imported, now or later."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


def when_imported(module: str, action: Callable[[], None]) -> None:
    """Call `action` if the module is imported already, or else as soon as it is."""
    if module in sys.modules:
        action()
    else:
        sys.meta_path.insert(0, _Watch(module, action))


@dataclass
class _Watch(MetaPathFinder):
    """Finds the module as it would be found without it, to act behind its import."""

    module: str
    action: Callable[[], None]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.action)
        return spec


@dataclass
class _Loader(Loader):
    loader: Loader
    action: Callable[[], None]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        # As if it had never been watched.
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self.loader
        self.action()
