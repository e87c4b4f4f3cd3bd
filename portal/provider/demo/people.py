"""Invented people at addresses that exist."""

from __future__ import annotations

from portal.domain.countries import Country
from portal.provider.demo.plans import Person, Place

SANNE = Person(
    "Sanne", "Dijkstra", "sanne@example.com",
    Place("Lange Nieuwstraat", "38", "3512 PH", "Utrecht", addon="A"), "+31612345601", "van",
)  # fmt: skip
JORIS = Person(
    "Joris", "Bakker", "joris@example.com", Place("Herengracht", "605", "1017 CE", "Amsterdam"), "+31612345602"
)
AMBER = Person(
    "Amber", "Wolters", "amber@example.com",
    Place("Groot Heiligland", "62", "2011 ES", "Haarlem"), "+31612345603", "de",
)  # fmt: skip
PIETER = Person(
    "Pieter",
    "Claes",
    "pieter@example.org",
    Place("Veldstraat", "82", "9000", "Gent", Country.BE, "bus 3"),
    "+32470123404",
)
NOOR = Person("Noor", "Haddad", "noor@example.com", Place("Rapenburg", "28", "2311 EW", "Leiden"), "", "el", "en")
LEASE = Person("Ruben", "Smit", "lease@example.com", Place("Utrechtseweg", "87", "6812 AA", "Arnhem"), "+31612345606")
LARS = Person(
    "Lars", "Petersen", "lars@example.net",
    Place("Glockengießerwall", "5", "20095", "Hamburg", Country.DE), "+4915112345607", locale="en",
)  # fmt: skip
EVA = Person("Eva", "Jansen", "eva@example.com", Place("Melkmarkt", "41", "8011 MB", "Zwolle"), "+31612345608")
MAX = Person(
    "Max", "Berg", "max@example.com",
    Place("Witte de Withstraat", "50", "3012 BR", "Rotterdam", addon="2 hoog"), "+31612345609", "van den",
)  # fmt: skip
THIJS = Person(
    "Thijs", "Kramer", "thijs@example.net", Place("Museumeiland", "1", "9711 ME", "Groningen"), "+31612345610"
)
IRIS = Person("Iris", "Mulder", "iris@example.org", Place("Kelfkensbos", "59", "6511 TB", "Nijmegen"))
ROOS = Person("Roos", "Wit", "roos@example.com", Place("Grote Markt", "21", "2011 RC", "Haarlem"), "+31612345611", "de")
OFFICE = Place("Lange Voorhout", "74", "2514 EH", "Den Haag")
"""Where Joris has his invoices sent."""
