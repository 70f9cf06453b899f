"""A real MongoDB deployment to run the contract suite against, where TEST_MONGODB_URI names one; its databases are called candor_test_…"""

import os


def real_deployment() -> str | None:
    """Return its address; None for the server that the tests start themselves."""
    return os.environ.get("TEST_MONGODB_URI") or None
