"""What becomes of an error under a release of xDSL that nobody has tried."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from tests.environments import requirements
from xdsl_bufferization.host import releases
from xdsl_bufferization.host.releases import TESTED, blame_release


def caught(call: Callable[[], object]) -> Exception:
    """The error that the call raises."""
    try:
        call()
    except Exception as error:
        return error
    pytest.fail("no error")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def install(release: str) -> None:
        def version(name: str) -> str:
            assert name == "xdsl"
            return release

        monkeypatch.setattr(releases, "version", version)

    return install


def use_missing_attribute() -> None:
    releases.offset_of(cast(Any, None))


def import_missing_name(monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    places = {"gone": ("xdsl.dialects.linalg.gone", "xdsl.gone")}
    monkeypatch.setattr(releases, "_PLACES", places)
    return lambda: getattr(releases, "gone")  # noqa: B009 # no name of the module


@pytest.mark.parametrize("release", ["0.61.0", "0.76.0", "0.100.2", "1.0rc1"])
def test_a_release_that_is_not_tested_is_named(
    release: str, installed: Callable[[str], None]
):
    installed(release)

    message = blame_release(caught(use_missing_attribute))

    assert message is not None
    assert f"xDSL 0.{TESTED[0][1]} to 0.{TESTED[1][1]}" in message
    assert release in message
    assert "'NoneType' object has no attribute 'layout'" in message
    assert "releases.py:" in message


def test_a_name_that_xdsl_no_longer_has_is_named(
    installed: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
):
    installed("0.76.0")

    message = blame_release(caught(import_missing_name(monkeypatch)))

    assert message is not None
    assert "xdsl.dialects.linalg.gone or xdsl.gone" in message


def test_a_module_that_xdsl_no_longer_has_is_named(installed: Callable[[str], None]):
    installed("0.76.0")

    module = Path(releases.__file__).with_name("imports_it.py")
    code = compile("import xdsl.gone", str(module), "exec")
    message = blame_release(caught(lambda: exec(code)))

    assert message is not None
    assert "xdsl.gone" in message


def test_imports_of_other_packages_are_not_blamed(installed: Callable[[str], None]):
    installed("0.76.0")

    assert blame_release(caught(lambda: import_module("xdsl.gone"))) is None


@pytest.mark.parametrize("release", ["0.62.0", "0.62.1", "0.70.0", "0.75.0"])
def test_a_tested_release_is_not_to_blame(
    release: str, installed: Callable[[str], None]
):
    installed(release)

    assert blame_release(caught(use_missing_attribute)) is None


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: cast(Any, None).layout, id="attribute in other code"),
        pytest.param(lambda: import_module("no_such_module"), id="other module"),
        pytest.param(lambda: releases.strides_for_shape(cast(Any, 1)), id="type"),
    ],
)
def test_other_errors_are_not_blamed_on_xdsl(
    call: Callable[[], object], installed: Callable[[str], None]
):
    installed("0.76.0")

    assert blame_release(caught(call)) is None


def test_no_release_from_the_oldest_on_is_refused():
    (wanted,) = (r for r in requirements() if r.startswith("xdsl"))

    assert wanted == f"xdsl>={TESTED[0][0]}.{TESTED[0][1]}"
