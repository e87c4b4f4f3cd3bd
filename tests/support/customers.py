"""Customers of the demonstration shop, by order number and e-mail address."""

SANNE = ("900000001", "sanne@example.com")
JORIS = ("900000002", "joris@example.com")
AMBER = ("900000003", "amber@example.com")
PIETER = ("900000004", "pieter@example.org")
NOOR = ("900000005", "noor@example.com")
EVA = ("900000008", "eva@example.com")
MAX = ("900000009", "max@example.com")
ROOS = ("900000721", "roos@example.com")
TESS = ("900000741", "tess@example.com")
THIJS = ("900000010", "thijs@example.net")
IRIS = ("", "iris@example.org")
EVERYBODY = (SANNE, JORIS, AMBER, PIETER, NOOR, EVA, MAX, THIJS, IRIS, ROOS, TESS)
"""All of these customers who can log in."""
