"""The customer's bikes; and the questions of every flow about a bike: which bike, and the pin code of its lock.

The page of one bike shows many subjects and stands in `portal.overview`.
"""
