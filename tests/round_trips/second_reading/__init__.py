"""
A second reading of a program's text, which knows nothing of xDSL's parser.

What xDSL gets wrong while it reads, all that is done with the program afterwards gets wrong
in the same way. So the dense literals, affine maps and names of attributes are found in the
text by other means, and have to be in the program that was read.
"""
