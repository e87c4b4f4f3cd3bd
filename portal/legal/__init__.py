"""The legal pages: privacy statement, terms and conditions, accessibility statement.

Everybody can read them without logging in, in Dutch and English. The footer links to them on every page, and forms that
ask for personal data link to the privacy statement.

The retailer supplies the texts as Markdown files, one per page and language (`PORTAL_LEGAL__PRIVACY__NL`). Names in
braces, such as `{email}`, are replaced by settings and terms, so that the pages never contradict the portal. The files
in `texts` are a complete example of the demonstration shop. The rules:

- HTML in a text is shown as text, and nothing of it is evaluated.
- A text starts with one heading of the first level. An unknown name in braces, an unsafe link or an unknown element
  stops the start with the name of the file.

Read the package in this order:

- `rendering`: from a Markdown file to HTML.
- `pages`: the three pages.
"""
