#!/usr/bin/env python3
"""Checks what lies in this folder, as far as that can be done without a cluster and without building an image.

    check.py [--kubernetes-validate PROGRAM] [--promtool PROGRAM] [--require]

Alerts and dashboards go through promtool, manifests through the schemas of Kubernetes (kubernetes-validate of PyPI) and
kubectl kustomize, the configuration in them through `entitled serve --check-config`, the packages of the Containerfile
through apt-cache, and what the program is linked with through ldd. ENTITLED_PROGRAM names the program. A checker that is
not installed is named as SKIPPED; with --require that is a failure. Prints a line for each check and, last, "N passed,
N failed".
"""

import json
import os
import re
import sys
import tempfile

try:
    import yaml
except ImportError:
    sys.exit("python3-yaml is needed; make check-deploy brings it")

# Nothing is left behind in the repository.
sys.dont_write_bytecode = True

from check_container import check_container
from check_kubernetes import check_kubernetes
from checking import check, deploy, failed, passed, path, run, skip, text, tool


def alert_rules():
    rules = yaml.safe_load(text("prometheus", "alerts.yml"))
    return [rule for group in rules["groups"] for rule in group["rules"]]


def check_alerts():
    names = [rule["alert"] for rule in alert_rules()]
    problems = ["%s is there twice" % name for name in names if names.count(name) > 1]
    tests = yaml.safe_load(text("prometheus", "alerts-tests.yml"))
    fires, silent = set(), set()
    for test in tests["tests"]:
        for case in test["alert_rule_test"]:
            (fires if case["exp_alerts"] else silent).add(case["alertname"])
    problems += ["%s is never seen to fire" % name for name in names if name not in fires]
    problems += ["%s is tested, but is no alert" % name for name in fires | silent if name not in names]
    headings = set(re.findall(r"^#+ (\w+)$", text("OPERATION.md"), re.M))
    problems += ["OPERATION.md does not say what to do about %s" % name for name in names if name not in headings]
    anchors = {heading.lower() for heading in headings}
    for rule in alert_rules():
        if rule["labels"].get("severity") not in ("critical", "warning"):
            problems.append("%s has no severity" % rule["alert"])
        anchor = rule["annotations"]["runbook"].partition("deploy/OPERATION.md#")[2]
        if anchor not in anchors:
            problems.append("the runbook of %s leads nowhere" % rule["alert"])
    check("alerts: each is tested, and OPERATION.md says what to do", problems)


def check_promtool():
    promtool = tool("promtool")
    if not promtool:
        return skip("promtool", "the distribution's package prometheus has it")
    check("promtool check rules", run(promtool, "check", "rules", path("prometheus", "alerts.yml")))
    check("promtool test rules", run(promtool, "test", "rules", path("prometheus", "alerts-tests.yml")))
    # A query of the dashboard is a rule that promtool reads, once Grafana's variables have values.
    values = {"$__rate_interval": "5m", "$instance": ".*"}
    rules = []
    for number, (_, expression) in enumerate(dashboard_queries()):
        for name, value in values.items():
            expression = expression.replace(name, value)
        rules.append({"record": "dashboard:%d" % number, "expr": expression})
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
        file.flush()
        check("promtool reads the %d queries of the dashboard" % len(rules), run(promtool, "check", "rules", file.name))


def dashboard():
    return json.loads(text("grafana", "entitled.json"))


def dashboard_queries():
    document = dashboard()
    for panel in document["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    for annotation in document["annotations"]["list"]:
        yield annotation["name"], annotation["expr"]


def check_dashboard():
    document = dashboard()
    problems = []
    for member in ("title", "uid", "schemaVersion", "time", "templating"):
        if not document.get(member):
            problems.append("the dashboard has no %s" % member)
    panels = document["panels"]
    ids = [panel["id"] for panel in panels]
    problems += ["two panels have the id %d" % i for i in set(ids) if ids.count(i) > 1]
    cells = {}
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] < 0 or place["x"] + place["w"] > 24 or place["w"] < 1 or place["h"] < 1:
            problems.append("panel '%s' lies outside" % panel["title"])
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                other = cells.setdefault((x, y), panel["id"])
                if other != panel["id"]:
                    problems.append("panel '%s' lies over another" % panel["title"])
        if panel["type"] == "row":
            continue
        if not panel.get("targets"):
            problems.append("panel '%s' asks nothing" % panel["title"])
        for target in panel.get("targets", []):
            if target["datasource"]["uid"] != "${datasource}":
                problems.append("panel '%s' names a data source of its own" % panel["title"])
        references = [target["refId"] for target in panel.get("targets", [])]
        if len(references) != len(set(references)):
            problems.append("two queries of panel '%s' have one name" % panel["title"])
    names = {variable["name"] for variable in document["templating"]["list"]}
    for title, expression in dashboard_queries():
        for name in re.findall(r"\$(\w+)", expression):
            if name not in names and not name.startswith("__"):
                problems.append("panel '%s' uses the variable %s, which there is not" % (title, name))
    check("the dashboard's panels", sorted(set(problems)))


def check_scripts():
    problems = []
    for folder, _, files in os.walk(deploy):
        for name in files:
            if name.endswith(".sh"):
                file = os.path.join(folder, name)
                problems += run("bash", "-n", file)
                if name != "common.sh" and not os.access(file, os.X_OK):
                    problems.append("%s cannot be run" % name)
    check("the scripts can be read", problems)


if __name__ == "__main__":
    for item in (check_alerts, check_promtool, check_dashboard, check_container, check_kubernetes, check_scripts):
        try:
            item()
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, yaml.YAMLError, OSError) as error:
            check(item.__name__, ["%s: %s" % (type(error).__name__, error)])
    print("%d passed, %d failed" % (len(passed), len(failed)))
    sys.exit(1 if failed else 0)
