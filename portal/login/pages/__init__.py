"""The login pages: order number and e-mail address, the code, the password."""
