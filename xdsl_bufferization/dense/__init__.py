"""
Dense attributes as MLIR writes and reads them: their bytes, and splats as one value
(`elements.py`), and the parser of their literals (`literals.py`).
"""
