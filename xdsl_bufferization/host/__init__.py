"""
How the package stands in xDSL: hooks on its commands, dialects and printer, differences between
its releases, faults of its classes, and literals as MLIR writes them.
"""
