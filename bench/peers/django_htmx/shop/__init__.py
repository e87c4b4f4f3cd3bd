"""The slice with Django templates and htmx."""
