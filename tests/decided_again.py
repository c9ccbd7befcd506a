"""Decisions that are taken over are those that a new analysis takes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from xdsl.ir import SSAValue

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.tensors.analysed_module import AnalysedModule


class Counted:
    """How often decisions were taken over, and how often all were taken again."""

    def __init__(self) -> None:
        self.updates = 0
        self.analyses = 0


@contextmanager
def each_decided_again() -> Generator[Counted]:
    """Compare the decisions of each `AnalysedModule` with those of a new analysis."""
    counted = Counted()
    decide = AnalysedModule._decided  # pyright: ignore[reportPrivateUsage] # what is tested

    def decide_twice(self: AnalysedModule) -> OneShotBufferization:
        former = self._one_shot  # pyright: ignore[reportPrivateUsage] # as above
        decided = decide(self)
        if decided is former:
            counted.updates += 1
            anew = OneShotBufferization(self.module, self.options)
            anew.analyze(already_verified=True)
            assert_same(decided, anew)
        else:
            counted.analyses += 1
        return decided

    with patch.object(AnalysedModule, "_decided", decide_twice):
        yield counted


def assert_same(a: OneShotBufferization, b: OneShotBufferization) -> None:
    """Both have decided the same, for the same reasons."""
    assert len(a.analyses) == len(b.analyses)
    for first, second in zip(a.analyses, b.analyses, strict=True):
        _assert_same(first, second)
    assert a.forwarded_copies == b.forwarded_copies
    assert a.summaries == b.summaries


def _assert_same(a: BufferizationAnalysis, b: BufferizationAnalysis) -> None:
    assert [info.op for info in a.program.ops] == [info.op for info in b.program.ops]
    post_orders = [[info.op for info in p.program.post_order] for p in (a, b)]
    assert post_orders[0] == post_orders[1]
    assert a.program.values.keys() == b.program.values.keys()
    for one, other in zip(a.program.ops, b.program.ops, strict=True):
        assert len(one.operands) == len(other.operands)
        for x, y in zip(one.operands, other.operands, strict=True):
            assert _operand(x) == _operand(y)
            assert (x.reads, x.writes) == (y.reads, y.writes), x.owner.op
            assert [*x.aliases] == [*y.aliases]
            assert [m.value for m in x.memrefs] == [m.value for m in y.memrefs]
            assert a.is_in_place(x) == b.is_in_place(y), (x.owner.op, x.index)
            assert _reason(a.reason(x)) == _reason(b.reason(y))
    for value, info in a.program.values.items():
        _assert_same_value(info, b.program.values[value])
    if isinstance(a, OneShotAnalysis):
        assert isinstance(b, OneShotAnalysis)
        _assert_same_classes(a, b)


def _assert_same_value(a: ValueInfo, b: ValueInfo) -> None:
    assert a.is_read == b.is_read, a.value
    assert a.is_memory_read == b.is_memory_read, a.value
    for x, y in (
        (a.reads, b.reads),
        (a.writes, b.writes),
        (a.written_in_regions, b.written_in_regions),
        ([o for o, _ in a.sources], [o for o, _ in b.sources]),
    ):
        assert [*map(_operand, x)] == [*map(_operand, y)], a.value
    assert [v.value for v in a.definitions] == [v.value for v in b.definitions]


def _assert_same_classes(a: OneShotAnalysis, b: OneShotAnalysis) -> None:
    values = [*a.program.values]
    firsts: list[dict[object, SSAValue]] = [{}, {}]
    for value in values:
        found = [
            first.setdefault(
                analysis.alias_sets.find(analysis.program.values[value]), value
            )
            for analysis, first in zip((a, b), firsts, strict=True)
        ]
        assert found[0] is found[1]
        infos = a.program.values[value], b.program.values[value]
        assert a.is_written(infos[0]) == b.is_written(infos[1])
        read_only = [
            None if (v := analysis.writability.read_only(info)) is None else v.value
            for analysis, info in zip((a, b), infos, strict=True)
        ]
        assert read_only[0] is read_only[1]
    assert _classes(a, values) == _classes(b, values)


def _classes(
    analysis: OneShotAnalysis, values: Sequence[SSAValue]
) -> set[frozenset[SSAValue]]:
    equivalence = analysis._equivalence  # pyright: ignore[reportPrivateUsage] # tested here
    classes: dict[SSAValue, set[SSAValue]] = {}
    for value in values:
        root = equivalence._find(value)  # pyright: ignore[reportPrivateUsage] # tested here
        classes.setdefault(root, set()).add(value)
    return {frozenset(values) for values in classes.values()}


def _operand(operand: TensorOperand) -> tuple[object, ...]:
    return operand.owner.op, operand.index, operand.value.value


def _reason(reason: Reason | None) -> tuple[object, ...]:
    match reason:
        case Conflict(read, write, definition):
            return _operand(read), _operand(write), definition.value
        case NotWritable(value):
            return (value.value,)
        case Race(write, definition):
            return _operand(write), definition.value
        case None:
            return ()
