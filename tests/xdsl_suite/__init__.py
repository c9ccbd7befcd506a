"""
xDSL's own tests, those of the source distribution of the installed version, run with this
package and without.

    python -m tests.xdsl_suite

All are run with the package; those that fail are run without it, too. It is an error if they
pass there. Where a test of xDSL's states one of its faults, the patch for the fault in
`docs/upstream` changes the test.
"""
