"""Account: the customer's own data, and the address question of the flows.

A customer sees name, address, phone number and e-mail address on one page, and changes them section by section. Flows
that need an address ask for it here: the customer confirms the stored address or types another one for that request.

The retailer validates an update as a whole and uses the data for deliveries, appointments and contact. The rules:

- An update holds all fields. A refusal names every invalid field, with a code each.
- The country determines the format of the postcode and how a national phone number is read.
- A flow offers the stored address only if it is complete and in one of the pick-up countries.
- An address typed in a flow does not change the stored address.

Read the package in this order:

- `api`: the operation and its model.
- `flow`: the address step of the flows, and functions that read its answers.
- `provider`: the retailer's side. It validates and stores updates, and supplies the address facts of the flows.
- `pages`: `my_data` is the page and `state` its states, `address_step` is the address step on the pages of the flows.

The operations that change the e-mail address are in `portal.login`, those that read the customer's data and set the
language in `portal.contract.session_api`.
"""
