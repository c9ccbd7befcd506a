import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="From NumPy to buffers")


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    # From NumPy to buffers

    A function on NumPy arrays becomes a program on tensors, then one on buffers, which
    computes the same numbers as NumPy.

    The function is one step of a computation that keeps a cache. It computes four new rows,
    writes them into the cache, and returns half of each element. With the switch on, it
    returns the mean of the cache before and after: then it reads what it has overwritten.
    """)
    return


@app.cell(hide_code=True)
def _(mo):
    read_old = mo.ui.switch(label="read the old cache after the write")
    first_row = mo.ui.slider(0, 4, value=2, label="first new row", show_value=True)
    mo.hstack([read_old, first_row], justify="start", gap=2)
    return first_row, read_old


@app.cell
def _(first_row, np, read_old):
    def step(cache, x, weights, bias):
        new = np.maximum(x @ weights + bias, 0)
        old = cache.copy()
        cache[first_row.value : first_row.value + 4] = new
        if read_old.value:
            return (cache + old) * 0.5
        return cache * 0.5

    return (step,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## NumPy-like Python to tensors

    To trace this function, it is called with objects that stand for arrays. Each NumPy
    function that is called with such an object appends MLIR operations to a program. Note
    what `copy` and the assignment to a slice do: a tensor is a value, so there is nothing to
    copy, and writing makes another value.
    """)
    return


@app.cell
def _(
    AffineExpr,
    AffineMap,
    AffineMapAttr,
    Block,
    FloatAttr,
    ImplicitBuilder,
    IteratorTypeAttr,
    Region,
    TensorType,
    arith,
    f32,
    linalg,
    np,
    tensor,
):
    SCALAR_OPS = {
        np.add: arith.AddfOp,
        np.subtract: arith.SubfOp,
        np.multiply: arith.MulfOp,
        np.maximum: arith.MaximumfOp,
    }

    class Tensor(np.lib.mixins.NDArrayOperatorsMixin):
        """Stands for an array: its value at this point of the traced program."""

        def __init__(self, value):
            self.value = value

        @property
        def shape(self):
            return self.value.type.get_shape()

        def __array_ufunc__(self, ufunc, method, *inputs):
            if ufunc is np.matmul:
                return matmul(*inputs)
            return elementwise(ufunc, *inputs)

        def copy(self):
            return Tensor(self.value)

        def __setitem__(self, rows, part):
            offsets = [rows.start] + [0] * (len(self.shape) - 1)
            self.value = tensor.InsertSliceOp.from_static_parameters(
                part.value, self.value, offsets, part.shape
            ).result
            self.value.name_hint = "written"

    def empty(*shape):
        return tensor.EmptyOp((), TensorType(f32, shape)).tensor

    def constant(number):
        return arith.ConstantOp(FloatAttr(number, f32)).result

    def matmul(a, b):
        init = empty(a.shape[0], b.shape[1])
        zeros = linalg.FillOp([constant(0.0)], [init]).results[0]
        product = linalg.MatmulOp([a.value, b.value], [zeros]).results[0]
        product.name_hint = "matmul"
        return Tensor(product)

    def elementwise(ufunc, *inputs):
        """An element-wise operation; inputs of lower rank are broadcast."""
        inputs = [x if isinstance(x, Tensor) else constant(float(x)) for x in inputs]
        shapes = [x.shape if isinstance(x, Tensor) else () for x in inputs]
        rank = max(map(len, shapes))
        values = [x.value if isinstance(x, Tensor) else x for x in inputs]
        result = empty(*np.broadcast_shapes(*shapes))
        maps = [
            AffineMap(
                rank,
                0,
                tuple(map(AffineExpr.dimension, range(rank - len(shape), rank))),
            )
            for shape in (*shapes, result.type.get_shape())
        ]
        block = Block(arg_types=[f32] * len(maps))
        with ImplicitBuilder(block) as scalars:
            linalg.YieldOp(SCALAR_OPS[ufunc](*scalars[:-1]).result)
        generic = linalg.GenericOp(
            values,
            [result],
            Region(block),
            [AffineMapAttr(map) for map in maps],
            [IteratorTypeAttr.parallel()] * rank,
            [result.type],
        )
        generic.results[0].name_hint = ufunc.__name__
        return Tensor(generic.results[0])

    return (Tensor,)


@app.cell
def _(
    FunctionType,
    ImplicitBuilder,
    ModuleOp,
    Tensor,
    TensorType,
    f32,
    func,
    inspect,
):
    def trace(function, *shapes):
        """The function as a program on tensors of these shapes."""
        types = [TensorType(f32, shape) for shape in shapes]
        traced = func.FuncOp(function.__name__, FunctionType.from_lists(types, []))
        names = inspect.signature(function).parameters
        with ImplicitBuilder(traced.body) as arguments:
            for argument, name in zip(arguments, names, strict=True):
                argument.name_hint = name
            result = function(*map(Tensor, arguments)).value
            func.ReturnOp(result)
        traced.function_type = FunctionType.from_lists(types, [result.type])
        module = ModuleOp([traced])
        module.verify()
        return module

    return (trace,)


@app.cell
def _(show, step, trace):
    tensors = trace(step, (8, 4), (4, 3), (3, 4), (4,))
    show(tensors)
    return (tensors,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## What may be overwritten

    Bufferization gives every tensor memory. An operation with a destination, such as
    `tensor.insert_slice` and all of `linalg`, then writes to the memory of its destination,
    *in place*, or to a copy, *out of place*. It has to be a copy if a later operation still
    reads the old contents.

    That is decided for the whole program before anything is changed. The report says what
    the pass `bufferize` does to the program, and why. Its lines are those above. Use the switch,
    and see a copy of the cache appear and disappear:
    """)
    return


@app.cell
def _(mo, report_on, tensors):
    decisions = report_on(tensors)
    mo.plain_text(decisions)
    return (decisions,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    The analysis is that of `one-shot-bufferize`. With `test-analysis-only` it writes its
    decisions into the program, one for each operand: `true` for a tensor that is *in place*,
    `false` for one that is *copied*, and `none` for what is *no tensor*.
    """)
    return


@app.cell
def _(OneShotBufferizePass, context, mo, tensors):
    analysed = tensors.clone()
    OneShotBufferizePass(
        bufferize_function_boundaries=True, test_analysis_only=True
    ).apply(context, analysed)
    words = {"true": "in place", "false": "copied", "none": "no tensor"}
    in_place = [
        {
            "operation": op.name,
            "operands": ", ".join(
                words[decision.data]
                for decision in op.attributes["__inplace_operands_attr__"]
            ),
        }
        for op in analysed.walk()
        if "__inplace_operands_attr__" in op.attributes
    ]
    mo.ui.table(in_place, selection=None, pagination=False)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Tensors to buffers

    `one-shot-bufferize` rewrites the program as decided. Values become memory: an operation
    on buffers has no result, and `memref.subview` is the part of the cache that the new rows
    are written to.

    Without the switch, that is a part of the caller's cache, as in NumPy. With the switch,
    it is a part of a copy, and the caller's cache does not change. A NumPy function writes
    its argument; in a program on tensors, an argument is a value.
    """)
    return


@app.cell
def _(LayoutMapOption, OneShotBufferizePass, context, show, tensors):
    buffers = tensors.clone()
    OneShotBufferizePass(
        bufferize_function_boundaries=True,
        function_boundary_type_conversion=LayoutMapOption.IDENTITY,
    ).apply(context, buffers)
    show(buffers)
    return (buffers,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Freeing them

    That memory is not freed yet. The pass `bufferize` does everything: before
    `one-shot-bufferize`, it changes the program so that less is copied (`eliminate-copies`):
    what is inserted is computed directly in its destination; and with the switch, the sum
    reads the new rows and the old ones where they are, so that the old cache need not be
    copied. Afterwards, it frees memory after its last use. The caller frees the result.
    """)
    return


@app.cell
def _(BufferizePass, LayoutMapOption, context, show, tensors):
    freed = tensors.clone()
    BufferizePass(
        function_boundary_type_conversion=LayoutMapOption.IDENTITY,
    ).apply(context, freed)
    show(freed)
    return (freed,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    For a program on buffers, the report says when each buffer is live, and how much memory
    that takes:
    """)
    return


@app.cell
def _(freed, mo, report_on):
    live_ranges = report_on(freed)
    mo.plain_text(live_ranges)
    return (live_ranges,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Buffers to numbers

    `xdsl_bufferization.semantics` runs programs on tensors and on buffers, and checks each
    access to memory. NumPy and three programs are run on the same random arrays: the program
    on tensors, and those of the two passes. `leaked_bytes` counts memory that is not freed.
    """)
    return


@app.cell
def _(Garbage, Program, buffers, freed, mo, np, step, tensors):
    random = np.random.default_rng(seed=0)
    inputs = [
        random.standard_normal(shape, dtype=np.float32)
        for shape in ((8, 4), (4, 3), (3, 4), (4,))
    ]
    # NumPy's function writes its argument.
    expected = step(*(array.copy() for array in inputs))

    runs = {
        name: Program(module, (), max_steps=1_000_000).run("step", inputs, Garbage())
        for name, module in (
            ("tensors", tensors),
            ("one-shot-bufferize", buffers),
            ("bufferize", freed),
        )
    }
    numbers = {name: run.outputs[0].contents for name, run in runs.items()}
    mo.ui.table(
        [
            {
                "program": name,
                "same as NumPy": bool(np.allclose(numbers[name], expected, rtol=1e-5)),
                **run.statistics._asdict(),
            }
            for name, run in runs.items()
        ],
        selection=None,
    )
    return expected, numbers


@app.cell
def _(expected, mo, numbers):
    mo.plain_text(f"NumPy:\n{expected}\n\nbufferize:\n{numbers['bufferize']}")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## What was imported
    """)
    return


@app.cell
def _():
    import inspect
    from dataclasses import replace

    import marimo as mo
    import numpy as np
    from xdsl.builder import ImplicitBuilder
    from xdsl.dialects import arith, func, tensor
    from xdsl.dialects.builtin import (
        AffineMapAttr,
        FloatAttr,
        FunctionType,
        ModuleOp,
        TensorType,
        f32,
    )
    from xdsl.dialects.linalg import ops as linalg
    from xdsl.dialects.linalg.attrs import IteratorTypeAttr
    from xdsl.ir import Block, Region
    from xdsl.ir.affine import AffineExpr, AffineMap

    from xdsl_bufferization.report.report import report_on as report
    from xdsl_bufferization.report.text import to_text
    from xdsl_bufferization.semantics.checking.execution import Program
    from xdsl_bufferization.semantics.memory import Garbage
    from xdsl_bufferization.support.options import LayoutMapOption
    from xdsl_bufferization.support.reading import context_of_all_dialects
    from xdsl_bufferization.transforms.bufferize import BufferizePass
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

    context = context_of_all_dialects()

    def show(module):
        """The program, with numbers of lines."""
        lines = enumerate(str(module).rstrip().split("\n"), start=1)
        return mo.plain_text("\n".join(f"{n:3} | {line}" for n, line in lines))

    def report_on(module):
        """What `xdsl-opt -t bufferization-report` prints, but for the program."""
        return to_text(replace(report(context, module), program=()))

    return (
        AffineExpr,
        AffineMap,
        AffineMapAttr,
        Block,
        BufferizePass,
        FloatAttr,
        FunctionType,
        Garbage,
        ImplicitBuilder,
        IteratorTypeAttr,
        LayoutMapOption,
        ModuleOp,
        OneShotBufferizePass,
        Program,
        Region,
        TensorType,
        arith,
        context,
        f32,
        func,
        inspect,
        linalg,
        mo,
        np,
        report_on,
        show,
        tensor,
    )


if __name__ == "__main__":
    app.run()
