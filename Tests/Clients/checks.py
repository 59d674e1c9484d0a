"""What the scripts of this folder share: where the service is, and a list of checks that is printed line by line."""

import os
import sys
import traceback
import uuid

URL = os.environ["ENTITLED_URL"] + "/rpc"
KEY_SET_URL = os.environ["ENTITLED_URL"] + "/.well-known/jwks.json"
KEY = os.environ["ENTITLED_KEY"]
HEADERS = {"Authorization": "Bearer " + KEY}

_checks = []


def check(function):
    """Marks a function as a check; its name is a sentence with underscores."""
    _checks.append(function)
    return function


def new_account():
    """An account that no other check uses."""
    return str(uuid.uuid4())


def grant(account, **more):
    """The parameters of grants.issue for an account."""
    return {
        "account": account,
        "entitlement": "pro",
        "reason": "a check of clients",
        "idempotencyKey": str(uuid.uuid4()),
        **more,
    }


def run(subject):
    """Runs all checks, prints a line for each, and ends the program."""
    failed = 0
    for function in _checks:
        name = subject + ": " + function.__name__.replace("_", " ")
        try:
            function()
            print("passed  " + name, flush=True)
        except Exception:
            failed += 1
            print("FAILED  " + name, flush=True)
            traceback.print_exc()
    sys.exit(1 if failed else 0)
