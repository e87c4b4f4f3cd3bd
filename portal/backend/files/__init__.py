"""Files that customers upload, such as photos and videos of damage.

Every file is untrusted. Its kind is read from its content, never from its name. It is parsed in a separate process,
and metadata such as the location of a photo is removed before the file is stored.

Read the package in this order:

- `incoming`: receives an upload and writes it to disk.
- `kinds`: detects the kind of a file.
- `inspection` and `worker`: the processes that check files, and the program that runs in them.
- `checks`: checks one file, with `images` for photos and PDF files and `videos` for videos.
- `store`: stores the checked files, on disk or in an S3 bucket.
"""
