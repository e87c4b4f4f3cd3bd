"""Mailed links: a link in a mail confirms a request or asks a question, without a session.

The customer opens the link, sees what it is about, and confirms with a button. Opening a link changes nothing, so a
mail scanner does no harm. A link works once and expires; the page can mail a new one.

The retailer's side creates a link when a subject sends its mail, stores a hash of it, and calls the `LinkHandler` of
the subject when the link is confirmed.

* `api`: the operations and the models they exchange.
* `provider`: creates, finds and uses links.
* `pages`: the page that a link opens, with the wording of each purpose.
"""
