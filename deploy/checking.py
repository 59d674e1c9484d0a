"""What the checks of this folder share: paths, tools, and the list of what passed and failed."""

import os
import shutil
import subprocess
import sys

deploy = os.path.dirname(os.path.abspath(__file__))
repository = os.path.dirname(deploy)
passed, failed = [], []


def path(*parts):
    return os.path.join(deploy, *parts)


def text(*parts):
    with open(path(*parts), encoding="utf-8") as file:
        return file.read()


def check(name, problems):
    """Notes a check: problems is a list of texts."""
    if problems:
        failed.append(name)
        print("FAILED  " + name)
        for problem in problems:
            print("        " + str(problem).rstrip().replace("\n", "\n        "))
    else:
        passed.append(name)
        print("passed  " + name)


def skip(name, reason):
    if "--require" in sys.argv:
        check(name, [reason])
    else:
        print("SKIPPED %s: %s" % (name, reason))


def tool(name):
    """A checker that an option names, or that is in the path."""
    option = "--" + name
    named = sys.argv[sys.argv.index(option) + 1] if option in sys.argv else None
    return named if named and os.access(named, os.X_OK) else shutil.which(name)


def run(*command, **options):
    """The problems of a command: none when it ends with status 0."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    return [] if result.returncode == 0 else [result.stdout + result.stderr]
