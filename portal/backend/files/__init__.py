"""Files that customers upload, such as photos and videos of damage.

Every file is untrusted. Its kind is read from its content, never from its name. It is parsed in a confined process,
and metadata such as the location of a photo is removed before the file is stored.

Read the package in this order:

- `incoming`: receives an upload and writes it to disk.
- `inspection` and `worker`: one process for each file, and the program that runs in it.
- `checks`: checks one file, with `images` for photos, `documents` for PDF files and `videos` for videos.
- `store`: stores the checked files, on disk or in an S3 bucket.
"""
