"""People of the retailer: login, roles, audit, and what staff see and correct of customers.

- Somebody logs in through the retailer's OpenID provider. Without one, and in the demonstration, a mailed code does.
- A role has rights (`portal.vocabulary.staff`). Each operation for staff declares one, and answers 'not found' to
  whoever lacks it.
- Account numbers, policy numbers and pin codes are revealed one by one, and each is in the audit.
- A customer is found by a search that the audit keeps. Staff see what the customer sees, or act in the customer's
  name, in a session of the customers' site that is marked as theirs.

Read `api`, then `provider`: `login`, `sign_on`, `people`, `customers`, `corrections`.
"""
