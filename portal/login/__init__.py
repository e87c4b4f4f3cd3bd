"""Login: customers prove who they are, by a code in a mail, a passkey or a password.

A customer enters an order number and an e-mail address, receives a code by mail, and types it. If the shop offers
passwords (`PORTAL_PASSWORDS`), the customer can set one through a mailed link and log in with it. After a login, a
passkey is offered; with it the customer logs in the way they unlock their device. Lease customers, and customers whose
order is from another country, are referred to the right site. A customer who is logged in can change the e-mail
address; a code sent to the old address confirms the change.

The retailer stores hashes of codes and passwords, limits how often codes are requested and tried, and logs security
events. The rules:

- A code opens a session only together with its challenge, which the browser that requested the code holds. Codes
  expire, work once, and allow a fixed number of tries.
- An answer and its timing do not reveal whether an e-mail address has an account, or which half of a pair was wrong.
- Requests from one network address cannot lock out a customer at another.
- The session is in a cookie that scripts cannot read.
- A passkey works only at the host where it was made. A device answers a challenge once, within five minutes, in the
  browser that asked for it.
- A new password ends every session of the customer. A new e-mail address ends all other sessions.

Read the package in this order:

- `api`: the operations and their models.
- `http`: the form posts of the login pages, which set and clear the cookies.
- `provider`: the retailer's side. `codes` decides who may log in and how often, and compares mailed codes; `queries`
  reads and writes the database; `service` implements codes, sessions and the change of the e-mail address, `passwords`
  theirs. `passkeys` is a service of its own; `webauthn_messages` checks what a device answers.
- `pages`: `forms` holds the forms of customers and staff; `login`, `password` and `passkeys` are the pages.

Other subjects read customers through `provider.queries`. The page that changes the e-mail address is in
`portal.account`.
"""
