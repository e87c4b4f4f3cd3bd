"""The retailer's side of login: codes, passwords, changes of the e-mail address, and queries on customers."""
