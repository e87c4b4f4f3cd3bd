"""The screens of the portal, one module each; a module names its screens in `PAGES`."""
