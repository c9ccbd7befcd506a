"""
xDSL's own tests, those of the source distributions of its newest and its oldest release that
are tested, run with this package and without.

    python -m tests.xdsl_suite

All are run with the package, which they discover; those that fail are run without it, too. A
test that passes only without it is an error, unless it is one of `EXPECTED`.
"""
