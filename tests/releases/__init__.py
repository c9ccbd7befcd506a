"""
The tests with older releases of xDSL: `python -m tests.releases`.

`environments.py` makes an environment for each, `checking.py` compares what they print.
"""
