"""Adapter to Reflex, Starlette and granian: the only package that may use their private names.

An upgrade of one of them changes code here and nowhere else. Each use is documented with four fields:

- Reaches: the private names that are used.
- Why: why the public API is not enough.
- Gain: what the use improves.
- Test: the test that fails when an upgrade changes those names.

Read the package in this order:

- `build` and `patches`: compiling the frontend once, and changes to the files that Reflex generates.
- `static` and `worker`: serving the compiled files, and the server process.
- `events`, `state` and `var`: event handlers, states and JavaScript expressions.
- `tokens`: which socket belongs to which browser tab.
- `log_filter`: removes personal data from logs.
- `development`: the development server.
"""
