"""Customer service: one page with the ways to reach the shop and links to what can be arranged online.

A customer sees the phone number, the e-mail address, the opening hours and whether the phone is answered now. Below are
links to everything that the portal can do, and the service points nearby. A customer who comes from a feature that is
not available online (`?topic=`) also sees what information to have ready.

The retailer sets the contact data, and whether the customer service closes on holidays. The opening hours depend on the
variant of the portal (`portal.settings`). The rules:

- Times are Dutch local time, whatever the time zone of the customer.
- The page updates itself when the customer service opens or closes.
- An unknown topic is ignored.

The package has one module, `pages`. Opening hours and holidays are computed in `portal.kernel.days`; the service points
are in `portal.locations`.
"""
