"""Service packages: the customer pays a monthly price for a bike, and services cost less.

There are two families with seven packages in all; one of them is 'none'. The customer compares what each includes and
what a service then costs, and takes one out with a flow. It applies at once, and the customer gets a mail. A bike can
have one package; the retailer refuses a bike that has one, was returned or has no known frame number.

- `rules`: the packages, what they include and cost.
- `api`: models and the operation.
- `flow`: the flow with its two steps.
- `pages`: the pages of the flow and the comparison.
- `provider`: the service and the flow handler; `templates`: the mail.
"""
