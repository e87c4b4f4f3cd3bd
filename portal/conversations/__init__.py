"""Conversations: messages both ways about a case, with files, between the customer and the people of the retailer.

A message is shown on the customer's page of the request and on the case page of staff. What staff write also goes out
by mail, and as a text message where the shop has a gateway. Staff may ask for an answer or a photo: the case then
waits for the customer until the answer is there or staff close the question.

Internal notes are not messages. They are stored with the case, and no operation for customers reads them.

* `rules`: the fields of templates.
* `api`: the operations of customers and of staff, and the models they exchange.
* `provider`: stores, sends and reads messages.
* `pages`: the conversation on a page of the customer.
* `desk`: the conversation on the case page of staff.
* `data`: the templates that are delivered with the portal.
"""
