"""An interrupted pass leaves the program as it was, or has done all of its work."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tests.peer.runner import parse_module
from xdsl_bufferization import BufferizePass, OneShotOptions, one_shot_bufferize
from xdsl_bufferization.former.dialect_conversion import SCFBufferizePass
from xdsl_bufferization.support.options import ArenaOption
from xdsl_bufferization.support.snapshots import all_or_nothing
from xdsl_bufferization.transforms.eliminate_copies import EliminateCopiesPass
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

PROGRAM = """
func.func private @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.add ins(%t, %y : tensor<8xf32>, tensor<8xf32>)
                  outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @g(%t: tensor<8xf32>, %n: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %y = func.call @f(%a, %x) : (tensor<8xf32>, f32) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %s = tensor.insert %x into %t[%c1] : tensor<8xf32>
  func.return %r, %s : tensor<8xf32>, tensor<8xf32>
}
"""

INTERRUPTS = 10
"""In each run of a pass."""


class TimeOut(BaseException):
    """As a time-out's exception that is no `Exception`."""


class _At:
    """Raises at the call of that number, and counts calls."""

    def __init__(self, number: int):
        self.number = number
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self.calls += 1
            if self.calls == self.number:
                raise TimeOut

    def again(self, _: object) -> None:
        """
        Raise at the next call instead, if at this one Python drops what is raised, as it does
        where a generator is closed, or in a callback of the garbage collector.
        """
        self.number = self.calls + 1
        sys.setprofile(self)


def _run(work: Callable[[], None], number: int) -> tuple[int, bool]:
    """Interrupt the work at the call of that number; the calls, and whether it was."""
    at = _At(number)
    former, hook = sys.getprofile(), sys.unraisablehook
    sys.unraisablehook = at.again
    sys.setprofile(at)
    try:
        work()
        interrupted = False
    except TimeOut:
        interrupted = True
    finally:
        sys.setprofile(former)
        sys.unraisablehook = hook
    return at.calls, interrupted


def _bufferized_by_one_shot(module: ModuleOp) -> None:
    one_shot_bufferize(
        Context(), module, OneShotOptions(bufferize_function_boundaries=True)
    )


def _runs(module_pass: ModulePass) -> Callable[[ModuleOp], None]:
    return lambda module: module_pass.apply(Context(), module)


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(_runs(BufferizePass()), id="bufferize"),
        pytest.param(_runs(BufferizePass(arena=ArenaOption.ALLOCATED)), id="arena"),
        pytest.param(_runs(EliminateCopiesPass()), id="eliminate-copies"),
        pytest.param(
            _runs(OneShotBufferizePass(bufferize_function_boundaries=True)),
            id="one-shot-bufferize",
        ),
        pytest.param(
            _runs(OneShotBufferizePass(test_analysis_only=True)), id="analysis"
        ),
        pytest.param(_runs(SCFBufferizePass()), id="scf-bufferize"),
        pytest.param(_bufferized_by_one_shot, id="one_shot_bufferize"),
    ],
)
def test_an_interrupted_pass_does_all_or_nothing(work: Callable[[ModuleOp], None]):
    module = parse_module(PROGRAM)
    before = str(module)
    work(after := module.clone())
    rewritten = str(after)
    calls, interrupted = _run(lambda: work(module.clone()), sys.maxsize)
    assert not interrupted
    times = 0
    for number in range(1, calls, max(1, calls // INTERRUPTS)):
        _, interrupted = _run(lambda: work(module), number)
        times += interrupted
        assert str(module) == (before if interrupted else rewritten)
        module.verify()
        if not interrupted:
            break
    assert times >= INTERRUPTS // 2
    work(module)
    assert str(module) == rewritten


def test_what_is_taken_back_may_be_interrupted_again():
    module = parse_module(PROGRAM)
    before = str(module)

    def change(_: object) -> None:
        for op in [*module.ops]:
            op.detach()
        raise ValueError

    def work() -> None:
        try:
            all_or_nothing(module, change)
        except ValueError:
            pass

    work()
    assert str(module) == before
    calls, _ = _run(work, sys.maxsize)
    for number in range(1, calls, max(1, calls // (10 * INTERRUPTS))):
        _run(work, number)
        assert str(module) == before
        module.verify()


def test_an_unchanged_program_keeps_its_ops():
    module = parse_module(PROGRAM)
    ops: list[Operation] = [*module.walk()]

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_or_nothing(module, interrupt)
    assert [*module.walk()] == ops
