"""Orders of invented shops, real-shaped: each is described once (`orders`), and written as the shops send it.

`truth.csv` says what the customer's pages and the desk must say of each afterwards. Days count back from today, so that
periods are as open or over tomorrow as they are now.
"""
