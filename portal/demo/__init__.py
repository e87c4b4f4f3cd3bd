"""The demonstration shop: invented people, places that exist, dates counted from today. The same each time.

By order number and e-mail address:

900000001 sanne@example.com   delivered e-bike and city bike, accessories, two invoices, everything available
900000002 joris@example.com   open repair
900000003 amber@example.com   frame number unknown; on 900000013 a bike with a pin code
900000004 pieter@example.org  Belgian, not shipped yet, delivery date open
900000005 noor@example.com    shipped 101 days ago, unpaid invoice; on 900000015 a bike without warranty
900000006 lease@example.com   lease order
900000007 lars@example.net    order of the German shop
900000008 eva@example.com     order without features
900000009 max@example.com     25 orders, 40 invoices, 3 bikes
900000010 thijs@example.net   one bike, frame number unknown
          iris@example.org    no orders
900000071 daan@example.com    to 79: delivery days in every state of being changed, an order in two parts
900000701 bram@example.com    to 714: one order in each delivery status
900000721 roos@example.com    to 728: a bundle, parts, returns under way, waiting, refused, not shipped, not paid
900000081 fleur@example.com   to 85: insurance offered, waiting, with the insurer, taken out, too late
"""

from __future__ import annotations

from portal.demo.shop import keep_young, load, many_orders

__all__ = ["keep_young", "load", "many_orders"]
