"""The demonstration shop: example data that shows every case of the portal.

People are invented, addresses exist, and dates are relative to today. Loading it again gives the same data. For the
retailer it shows how the portal works without their own data; tests use it too.

Read the package in this order:

- `data`: customers, products, the catalogue, workshops, people and the texts of stories, as JSON and CSV files.
- `plans`: the types that describe customers, products and orders, and days relative to today.
- `customers`: the customers below.
- `catalogue` and `partners`: articles, insurances, maintenance jobs; workshops and people.
- `pictures` and `photos`: pictures of articles, with their files in `images`, and photos of cases.
- `build`: turns the plans into rows and computes all amounts.
- `travelling`, `aftercare`, `returning`, `cases` and `stories`: what happened to orders and bikes.
- `shop`: loads the data and keeps the dates current.

The customers by order number and e-mail address:

900000001 sanne@example.com   delivered e-bike and city bike, accessories, two invoices, all features
900000002 joris@example.com   open repair
900000003 amber@example.com   frame number unknown; on 900000013 a bike with a pin code
900000004 pieter@example.org  Belgian, not shipped yet, delivery date open
900000005 noor@example.com    shipped more than 100 days ago, unpaid invoice; on 900000015 a bike without warranty
900000006 lease@example.com   lease order
900000007 lars@example.net    order of the German shop
900000008 eva@example.com     order without features
900000009 max@example.com     25 orders, 40 invoices, 3 bikes
900000010 thijs@example.net   one bike, frame number unknown
          iris@example.org    no orders
900000071 daan@example.com    to 79: every status of a delivery date change, an order in two parts
900000701 bram@example.com    and on: one order in each delivery status
900000721 roos@example.com    to 728: bundle, parts, returns in progress, pending, refused, not shipped, unpaid
900000081 fleur@example.com   to 85: insurance offered, pending, with the insurer, taken out, too late
"""

from portal.demo.shop import add_photos, add_pictures, add_stories, keep_young, load

__all__ = ["add_photos", "add_pictures", "add_stories", "keep_young", "load"]
