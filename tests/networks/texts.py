"""
Networks as text, in which the sizes `N` and `S` are numbers, or known when the networks run.

All tensors of one size are computed in one empty tensor, as front ends write it.
"""

from __future__ import annotations

import re

_MLP = """
func.func @mlp(%h0: tensor<Nx16xf32>, %w: tensor<16x16xf32>) -> tensor<Nx16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %h0, %c0 : tensor<Nx16xf32>
  %e = tensor.empty(%n) : tensor<Nx16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<Nx16xf32>) -> tensor<Nx16xf32>
  LAYERS
  func.return %hLAST : tensor<Nx16xf32>
}
"""

_MLP_LAYER = """
  %m# = linalg.matmul ins(%h#, %w : tensor<Nx16xf32>, tensor<16x16xf32>)
    outs(%start : tensor<Nx16xf32>) -> tensor<Nx16xf32>
  %hNEXT = linalg.exp ins(%m# : tensor<Nx16xf32>) outs(%e : tensor<Nx16xf32>) -> tensor<Nx16xf32>
"""

_ATTENTION = """
func.func @attention(%h0: tensor<NxSx8xf32>) -> tensor<Nx8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %h0, %c0 : tensor<NxSx8xf32>
  %s = tensor.dim %h0, %c1 : tensor<NxSx8xf32>
  %ex = tensor.empty(%n, %s) : tensor<NxSx8xf32>
  %et = tensor.empty(%n, %s) : tensor<Nx8xSxf32>
  %ep = tensor.empty(%n, %s, %s) : tensor<NxSxSxf32>
  %er = tensor.empty(%n, %s) : tensor<NxSxf32>
  %x = linalg.fill ins(%zero : f32) outs(%ex : tensor<NxSx8xf32>) -> tensor<NxSx8xf32>
  %p = linalg.fill ins(%zero : f32) outs(%ep : tensor<NxSxSxf32>) -> tensor<NxSxSxf32>
  %r = linalg.fill ins(%zero : f32) outs(%er : tensor<NxSxf32>) -> tensor<NxSxf32>
  LAYERS
  %eo = tensor.empty(%n) : tensor<Nx8xf32>
  %o = linalg.fill ins(%zero : f32) outs(%eo : tensor<Nx8xf32>) -> tensor<Nx8xf32>
  %pooled = linalg.reduce ins(%hLAST : tensor<NxSx8xf32>) outs(%o : tensor<Nx8xf32>)
    dimensions = [1]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  func.return %pooled : tensor<Nx8xf32>
}
"""

_ATTENTION_LAYER = """
  %k# = linalg.transpose ins(%h# : tensor<NxSx8xf32>) outs(%et : tensor<Nx8xSxf32>)
    permutation = [0, 2, 1]
  %s# = linalg.batch_matmul ins(%h#, %k# : tensor<NxSx8xf32>, tensor<Nx8xSxf32>)
    outs(%p : tensor<NxSxSxf32>) -> tensor<NxSxSxf32>
  %p# = linalg.exp ins(%s# : tensor<NxSxSxf32>) outs(%ep : tensor<NxSxSxf32>) -> tensor<NxSxSxf32>
  %r# = linalg.reduce ins(%p# : tensor<NxSxSxf32>) outs(%r : tensor<NxSxf32>) dimensions = [2]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  %q# = linalg.generic {
    indexing_maps = [affine_map<(n, s, t) -> (n, s, t)>, affine_map<(n, s, t) -> (n, s)>,
                     affine_map<(n, s, t) -> (n, s, t)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%p#, %r# : tensor<NxSxSxf32>, tensor<NxSxf32>) outs(%ep : tensor<NxSxSxf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<NxSxSxf32>
  %y# = linalg.batch_matmul ins(%q#, %h# : tensor<NxSxSxf32>, tensor<NxSx8xf32>)
    outs(%x : tensor<NxSx8xf32>) -> tensor<NxSx8xf32>
  %hNEXT = linalg.add ins(%y#, %h# : tensor<NxSx8xf32>, tensor<NxSx8xf32>)
    outs(%ex : tensor<NxSx8xf32>) -> tensor<NxSx8xf32>
"""

_STEPS = """
func.func @steps(%x: tensor<Nx8xf32>, %w: tensor<8x8xf32>) -> tensor<Nx8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<Nx8xf32>
  %e = tensor.empty(%n) : tensor<Nx8xf32>
  %h0 = linalg.exp ins(%x : tensor<Nx8xf32>) outs(%e : tensor<Nx8xf32>) -> tensor<Nx8xf32>
  %k = tensor.extract %x[%c0, %c1] : tensor<Nx8xf32>
  %trips = arith.fptosi %k : f32 to i32
  %end = arith.index_cast %trips : i32 to index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%h = %h0) -> (tensor<Nx8xf32>) {
    %nh = tensor.dim %h, %c0 : tensor<Nx8xf32>
    %d = tensor.empty(%nh) : tensor<Nx8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<Nx8xf32>) -> tensor<Nx8xf32>
    %g = linalg.matmul ins(%h, %w : tensor<Nx8xf32>, tensor<8x8xf32>)
      outs(%f : tensor<Nx8xf32>) -> tensor<Nx8xf32>
    scf.yield %g : tensor<Nx8xf32>
  }
  func.return %r : tensor<Nx8xf32>
}
"""


def text_of(
    name: str, batch: int | None, length: int | None = 12, *, layers: int = 4
) -> str:
    """
    The network `mlp`, `attention` or `steps`, a loop that multiplies; sizes that are `None` are
    known when it runs.
    """
    template, layer = {
        "mlp": (_MLP, _MLP_LAYER),
        "attention": (_ATTENTION, _ATTENTION_LAYER),
        "steps": (_STEPS, ""),
    }[name]
    body = (
        layer.replace("#", str(i)).replace("NEXT", str(i + 1)) for i in range(layers)
    )
    text = template.replace("LAYERS", "".join(body)).replace("LAST", str(layers))
    sizes = {"N": batch, "S": length}
    sizes = {"N": batch, "S": length}
    text = re.sub(
        r"(?<=tensor\.empty\()[^)]*", lambda o: _dynamic(o.group(), sizes), text
    )
    return re.sub(
        r"(?<=tensor<)[^>]*", lambda shape: _sized(shape.group(), sizes), text
    )


def _dynamic(operands: str, sizes: dict[str, int | None]) -> str:
    """The operands for sizes that are not numbers; `%n` is for `N`."""
    return ", ".join(o for o in operands.split(", ") if sizes[o[1].upper()] is None)


def _sized(shape: str, sizes: dict[str, int | None]) -> str:
    """The shape with its sizes, as in `?x12x8xf32`."""
    found = [sizes.get(size, size) for size in shape.split("x")]
    return "x".join("?" if size is None else str(size) for size in found)
