"""Product safety recalls: the shop loads a list of numbers, and exactly their owners are warned.

An owner gets a mail, and every page shows a banner until they confirm that they have read the recall. Its page
describes the product, the danger and what to do, and offers a choice of remedies. It has the content of the recall
notice of the EU (Regulation (EU) 2023/988, article 36; Implementing Regulation (EU) 2024/1435). The rules:

- The shop loads a recall from a text file and a list of frame or battery numbers, by a command. Loading it again adds
  new numbers and changes texts; nobody is warned twice.
- An owner has the bike now; customers who returned it or whose order was cancelled are not warned.
- A bike whose number becomes known later is found within an hour.
- Words that play down the danger are refused, as the law asks.
- The shop sees who was warned, who confirmed it and what they chose.

Read the package in this order:

- `rules`: the texts of a recall, and how numbers are compared.
- `api`: the operations of customers.
- `provider`: loading a recall, finding owners, their answers; the operations.
- `pages`: the page of a recall and its state.
"""
