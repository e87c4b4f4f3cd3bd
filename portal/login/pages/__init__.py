"""The login pages: request a code, enter the code, log in with a password, set a password."""
