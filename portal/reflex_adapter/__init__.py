"""The only package that may use private names of Reflex, Starlette and granian.

Each use says why it is needed. An upgrade of one of them is mended here and nowhere else.
"""
