"""Element types as NumPy calls them."""

from xdsl_bufferization.semantics.values import Array, dtype_of

__all__ = ["Array", "dtype_of"]
