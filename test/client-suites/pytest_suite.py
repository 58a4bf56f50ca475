"""Plugin of pytest: redirects the network "nile" of tronpy to another node, and writes the result of each test."""

import json
import os

from tronpy import defaults

defaults.CONF_NILE["fullnode"] = os.environ["SUITE_NODE"]
defaults.CONF_NILE["event"] = os.environ["SUITE_NODE"]


def pytest_runtest_logreport(report):
    """Writes the result of the test. Setup and teardown count only if they fail or skip the test."""
    if report.when != "call" and report.outcome == "passed":
        return
    result = {"name": report.nodeid, "outcome": report.outcome}
    if report.failed:
        result["message"] = str(report.longrepr)[-1000:]
    with open(os.environ["SUITE_REPORT"], "a", encoding="utf-8") as lines:
        lines.write(json.dumps(result) + "\n")
