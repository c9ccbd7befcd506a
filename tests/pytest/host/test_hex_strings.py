"""A long hex string is kept as its text, and otherwise like xDSL's bytes."""

from __future__ import annotations

import pickle
import tracemalloc
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr
from xdsl.utils.exceptions import ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.host import repairs
from xdsl_bufferization.host.literals import HexBytes, RepeatedBytes
from xdsl_bufferization.support.locations import Text
from xdsl_bufferization.support.reading import LocatingParser

repairs.apply(import_all=True)

_Dense = DenseIntOrFPElementsAttr[Any]
_BYTES = bytes(range(256)) * 16


def _parse(text: str) -> _Dense:
    parser = LocatingParser(Context(), Text("hex", text))
    return cast(_Dense, parser.parse_attribute())


def _dense(digits: str) -> _Dense:
    return _parse(f'dense<"0x{digits}"> : tensor<4096xi8>')


def test_it_equals_the_same_bytes():
    kept = _dense(_BYTES.hex())
    bytes_of_xdsl = DenseIntOrFPElementsAttr(kept.type, BytesAttr(_BYTES))
    others = [
        bytes_of_xdsl,
        _dense(_BYTES.hex().upper()),
        _dense("\\30" + _BYTES.hex()[1:]),
        pickle.loads(pickle.dumps(kept)),
    ]

    assert isinstance(kept.data, HexBytes)
    assert all(other == kept for other in others)
    assert len({kept, *others}) == 1
    assert kept != _dense(_BYTES[::-1].hex())
    assert len(kept) == len(kept.get_values()) == 4096
    assert kept.get_values() == bytes_of_xdsl.get_values()
    assert not kept.is_splat()


def test_it_is_printed_as_it_was_written():
    assert str(_dense(_BYTES.hex())) == f'dense<"0x{_BYTES.hex()}"> : tensor<4096xi8>'


def test_a_splat_is_one_value():
    assert isinstance(_dense("07" * 4096).data, RepeatedBytes)


@pytest.mark.parametrize(
    "digits, message",
    [
        (_BYTES.hex()[1:] + "g", "Hex string in denseAttr is invalid"),
        (_BYTES.hex()[2:], "Expected 4096 elements from the type, but got 4095"),
    ],
)
def test_it_is_checked_when_it_is_read(digits: str, message: str):
    with pytest.raises(ParseError, match=message):
        _dense(digits)


def test_constants_are_neither_decoded_nor_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    digits = (_BYTES * 1024).hex()
    program, output = tmp_path / "weights.mlir", tmp_path / "output.mlir"
    program.write_text(f"""
#here = loc("here")
func.func @f(%x: index) -> f32 {{
  %w = arith.constant dense<"0x{digits}"> : tensor<1048576xf32> loc(#here)
  %y = tensor.extract %w[%x] : tensor<1048576xf32>
  func.return %y : f32
}}
""")
    monkeypatch.delattr(HexBytes, "data")
    command = xDSLOptMain(args=["-p", "bufferize", str(program), "-o", str(output)])
    tracemalloc.start()
    command.run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert f'dense<"0x{digits}">' in output.read_text()
    # The file as bytes and as text; the digits of one constant, and its bytes.
    assert peak < 2.8 * len(digits)
