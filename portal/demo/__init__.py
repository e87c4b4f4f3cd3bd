"""The demonstration shop: example data that shows every case of the portal.

People are invented, addresses exist, and dates are relative to today. Loading it again gives the same data. For the
retailer it shows how the portal works without their own data; tests use it too.

Read the package in this order:

- `data`: customers, products, the catalogue, workshops, people and the texts of stories, as JSON and CSV files.
- `plans`: the types that describe customers, products and orders, and days relative to today.
- `customers`: the customers, by name.
- `catalogue` and `partners`: articles, insurances, maintenance jobs; workshops and people.
- `pictures` and `photos`: pictures of articles, with their files in `images`, and photos of cases.
- `build`: turns the plans into rows and computes all amounts.
- `travelling`, `aftercare`, `returning`, `cases` and `stories`: what happened to orders and bikes.
- `shop`: loads the data and keeps the dates current.

The customers are in docs/demonstration.md.
"""

from portal.demo.shop import add_photos, add_pictures, add_stories, keep_young, load

__all__ = ["add_photos", "add_pictures", "add_stories", "keep_young", "load"]
