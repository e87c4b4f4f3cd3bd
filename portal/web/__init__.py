"""Plain HTTP beside the pages: headers, cookies, form posts, documents and files, sockets.

What a subject adds to it stands in its `http`.
"""
