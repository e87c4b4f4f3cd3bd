"""Ask the database of OSV (osv.dev) for known vulnerabilities of the packages in the bill of materials.

    python -m tools.known_vulnerabilities

It ends with code 1 when there are some, and with 0 and one line when the database cannot be reached.
"""

from __future__ import annotations

import sys

import httpx

from tools.bill_of_materials import bill

DATABASE = "https://api.osv.dev"


def known(client: httpx.Client) -> list[str]:
    """A line for each package with known vulnerabilities. Raises `httpx.HTTPError`: nobody answered."""
    packages = [component["purl"] for component in bill("")["components"]]
    queries = [{"package": {"purl": purl}} for purl in packages]
    answer = client.post(f"{DATABASE}/v1/querybatch", json={"queries": queries}).raise_for_status()
    found = zip(packages, answer.json()["results"], strict=True)
    return [
        f"{purl}: {', '.join(each['id'] for each in result['vulns'])}" for purl, result in found if result.get("vulns")
    ]


def main() -> int:
    try:
        with httpx.Client(timeout=30) as client:
            found = known(client)
    except httpx.HTTPError as error:
        print(f"NOT CHECKED for known vulnerabilities: {DATABASE} cannot be reached ({type(error).__name__})")
        return 0
    print("\n".join(found) or "No known vulnerabilities.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
