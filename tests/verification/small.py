"""Small programs, in MLIR's custom syntax, put together of ops on vectors."""

from __future__ import annotations

MAPS = (
    "indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
    'iterator_types = ["parallel"]'
)


def tensor(size: int) -> str:
    return f"tensor<{size}xf32>"


def new(result: str, source: str, size: int) -> str:
    """An op that computes a new tensor."""
    type = tensor(size)
    return f"""
      %{result}_new = tensor.empty() : {type}
      %{result} = linalg.exp ins(%{source} : {type}) outs(%{result}_new : {type}) -> {type}
    """


def reversed_order(result: str, source: str, size: int) -> str:
    """An op that computes a new tensor, and does not read the elements in their order."""
    type = tensor(size)
    maps = f"affine_map<(i) -> ({size - 1} - i)>, affine_map<(i) -> (i)>"
    return f"""
      %{result}_new = tensor.empty() : {type}
      %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins(%{source} : {type}) outs(%{result}_new : {type}) {{
      ^bb0(%{result}_a: f32, %{result}_b: f32):
        %{result}_c = math.exp %{result}_a : f32
        linalg.yield %{result}_c : f32
      }} -> {type}
    """


def update(result: str, source: str, init: str, size: int) -> str:
    """An op that needs what is in its init."""
    type = tensor(size)
    return f"""
      %{result} = linalg.generic {{{MAPS}}} ins(%{source} : {type}) outs(%{init} : {type}) {{
      ^bb0(%{result}_a: f32, %{result}_b: f32):
        %{result}_c = arith.mulf %{result}_a, %{result}_b : f32
        linalg.yield %{result}_c : f32
      }} -> {type}
    """


def pad(result: str, source: str, size: int, low: int = 1, high: int = 1) -> str:
    type = f"{tensor(size)} to {tensor(size + low + high)}"
    return f"""
      %{result} = tensor.pad %{source} low[{low}] high[{high}] {{
      ^bb0(%{result}_i: index):
        tensor.yield %zero : f32
      }} : {type}
    """


def concat(result: str, *parts: tuple[str, int]) -> str:
    names = ", ".join(f"%{name}" for name, _ in parts)
    types = ", ".join(tensor(size) for _, size in parts)
    whole = tensor(sum(size for _, size in parts))
    return f"%{result} = tensor.concat dim(0) {names} : ({types}) -> {whole}\n"


def function(arguments: str, body: str, **results: int) -> str:
    """A function that returns the tensors, of the sizes."""
    types = ", ".join(map(tensor, results.values()))
    names = ", ".join(f"%{name}" for name in results)
    return f"""
    func.func @f({arguments}) -> ({types}) {{
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c10 = arith.constant 10 : index
      {body}
      func.return {names} : {types}
    }}
    """


def loop(result: str, init: str, body: str, trips: str = "%c10") -> str:
    """A loop that carries `%t` and yields `%n`."""
    type = tensor(8)
    return f"""
      %{result} = scf.for %i = %c0 to {trips} step %c1 iter_args(%t = %{init}) -> ({type}) {{
        {body}
        scf.yield %n : {type}
      }}
    """


def insert(result: str, source: str, size: int, into: str, whole: int, at: int) -> str:
    return (
        f"%{result} = tensor.insert_slice %{source} into %{into}[{at}] [{size}] [1] : "
        f"{tensor(size)} into {tensor(whole)}\n"
    )
