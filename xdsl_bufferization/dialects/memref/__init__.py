"""
xDSL's `memref` dialect, with the ops that it lacks; `extension.py` lists them.

The list is a module of its own since the package makes a few of the ops in programs that have no
others of the dialect.
"""
