"""Pictures of what the shop sells: its own images in several sizes, and drawings for what has none.

`rules` says which drawing fits an item, `api` what travels, `provider` keeps images, `pages` shows them, `http` serves
them. The drawings themselves are in `portal.illustrations`.
"""
