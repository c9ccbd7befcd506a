"""
Dense attributes as MLIR writes and reads them: their bytes (`elements.py`), splats as one value
(`splats.py`), and the parser of their literals (`literals.py`).
"""
