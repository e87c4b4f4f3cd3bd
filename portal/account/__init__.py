"""The customer's own data: name, phone number, address, language; and the address question of every flow."""
