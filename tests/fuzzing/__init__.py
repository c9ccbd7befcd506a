"""
Random programs through each pipeline: checked by what they mean, and their in-place
decisions by a proof.
"""
