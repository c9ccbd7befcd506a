"""How tensor ops bufferize: one file for each kind of op."""

from __future__ import annotations

from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.destinations import (
    SecondOperandIsInit,
    SizesOfInits,
)
from xdsl_bufferization.models.tensor.elements import ExtractModel, InsertModel
from xdsl_bufferization.models.tensor.new_tensors import (
    BitcastModel,
    ConcatInsertions,
    ConcatModel,
    EmptyModel,
    EmptyRematerialization,
    FromElementsModel,
    GenerateModel,
    GenerateRematerialization,
    PadInsertions,
    PadModel,
    ScalarsRematerialization,
    SizesFromOperands,
    SplatModel,
)
from xdsl_bufferization.models.tensor.slices import (
    CastModel,
    CollapseShapeModel,
    DimModel,
    ExpandShapeModel,
    ExtractSliceModel,
    InsertSliceModel,
    ParallelInsertSliceModel,
    RankModel,
    ReshapeModel,
)


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("bitcast", BitcastModel()),
        ("cast", CastModel()),
        ("collapse_shape", CollapseShapeModel()),
        ("concat", ConcatModel()),
        ("dim", DimModel()),
        ("empty", EmptyModel()),
        ("expand_shape", ExpandShapeModel()),
        ("extract", ExtractModel()),
        ("extract_slice", ExtractSliceModel()),
        ("from_elements", FromElementsModel()),
        ("generate", GenerateModel()),
        ("insert", InsertModel()),
        ("insert_slice", InsertSliceModel()),
        ("pad", PadModel()),
        ("parallel_insert_slice", ParallelInsertSliceModel()),
        ("rank", RankModel()),
        ("reshape", ReshapeModel()),
        ("splat", SplatModel()),
    ):
        register_model(f"tensor.{name}", model)
    for name in ("insert", "insert_slice"):
        register_model(f"tensor.{name}", SecondOperandIsInit())
        register_model(f"tensor.{name}", SizesOfInits())
    register_model("tensor.empty", SizesFromOperands())
    register_model("tensor.generate", SizesFromOperands())
    register_model("tensor.splat", SizesFromOperands(1))
    register_model("tensor.concat", ConcatInsertions())
    register_model("tensor.empty", EmptyRematerialization())
    register_model("tensor.from_elements", ScalarsRematerialization())
    register_model("tensor.generate", GenerateRematerialization())
    register_model("tensor.pad", PadInsertions())
    register_model("tensor.splat", ScalarsRematerialization())
