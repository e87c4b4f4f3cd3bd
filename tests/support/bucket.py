"""A real S3 server with a bucket for the tests."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import boto3
from moto.server import ThreadedMotoServer

from portal.setting_groups import FileStore


@contextmanager
def s3_server() -> Iterator[FileStore]:
    """Start the server and yield the settings to connect to it. All servers of a process share what they store."""
    bucket = f"customer-files-{secrets.token_hex(4)}"
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    try:
        boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
        ).create_bucket(Bucket=bucket)
        yield FileStore.model_validate(
            {
                "store": "s3", "bucket": bucket, "prefix": "portal/", "endpoint": endpoint,
                "region": "us-east-1", "access_key": "key", "secret_key": "secret",
            }
        )  # fmt: skip
    finally:
        server.stop()
