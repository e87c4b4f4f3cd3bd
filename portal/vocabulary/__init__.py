"""The words of the shop: statuses, kinds and choices that are stored, travel between the two sides and are shown.

A module a subject. Each word is one enum with its label, its meaning and the statuses that may follow it, so that a
new status is one row here.
"""
