"""
Chains of ops computed part by part, so that what one passes to the next is never there as a whole.

`chains.py` finds the ops that can be computed together along one dimension of a tensor,
and `driver.py` puts them into a loop, at the peak, where that lowers the peak.
"""
