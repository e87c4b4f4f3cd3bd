"""Login on the retailer's side: codes, passwords, changes of the e-mail address, and the customer behind them."""
