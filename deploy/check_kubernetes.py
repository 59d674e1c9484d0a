"""The checks of the manifests."""

import json
import os
import re
import shutil
import tempfile

import yaml

from checking import check, path, repository, run, skip, text, tool


def manifests():
    for name in sorted(os.listdir(path("kubernetes"))):
        if name.endswith(".yaml"):
            for document in yaml.safe_load_all(text("kubernetes", name)):
                yield name, document


def check_kubernetes():
    by_kind = {}
    problems = []
    for name, document in manifests():
        if not document.get("apiVersion") or not document.get("kind"):
            problems.append("%s has no apiVersion or no kind" % name)
        elif document["kind"] != "Kustomization" and not document.get("metadata", {}).get("name"):
            problems.append("%s has no name" % name)
        by_kind[document["kind"]] = document
    deployment = by_kind["Deployment"]
    template = deployment["spec"]["template"]
    labels, pod = template["metadata"]["labels"], template["spec"]
    container = pod["containers"][0]
    specs = {kind: document.get("spec") for kind, document in by_kind.items()}
    for kind, selector in [
        ("Deployment", specs["Deployment"]["selector"]["matchLabels"]), ("Service", specs["Service"]["selector"]),
        ("PodDisruptionBudget", specs["PodDisruptionBudget"]["selector"]["matchLabels"]),
        ("NetworkPolicy", specs["NetworkPolicy"]["podSelector"]["matchLabels"]),
    ]:
        if not selector or any(labels.get(key) != value for key, value in selector.items()):
            problems.append("the selector of the %s does not find the pods" % kind)
    monitor = by_kind["ServiceMonitor"]["spec"]
    service = by_kind["Service"]
    if any(service["metadata"]["labels"].get(k) != v for k, v in monitor["selector"]["matchLabels"].items()):
        problems.append("the ServiceMonitor does not find the Service")
    if service["metadata"]["labels"].get(monitor["jobLabel"]) != "entitled":
        problems.append("the ServiceMonitor does not give the job that the alerts look for")
    ports = {port["name"] for port in container["ports"]}
    if monitor["endpoints"][0]["port"] not in {port["name"] for port in service["spec"]["ports"]}:
        problems.append("the ServiceMonitor names a port that the Service has not")
    if service["spec"]["ports"][0]["targetPort"] not in ports:
        problems.append("the Service names a port that the pods have not")
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        http = container[probe]["httpGet"]
        if http["port"] not in ports or not http["path"] in ("/healthz", "/readyz"):
            problems.append("the %s asks at no place of the service" % probe)
    if container["livenessProbe"]["httpGet"]["path"] == "/readyz":
        problems.append("an outage of the database would restart every pod")
    secret = by_kind["Secret"]
    job = by_kind["Job"]["spec"]["template"]["spec"]
    for owner in (container, job["containers"][0]):
        for variable in owner["env"]:
            reference = variable["valueFrom"]["secretKeyRef"]
            if reference["name"] != secret["metadata"]["name"] or reference["key"] not in secret["stringData"]:
                problems.append("%s is not in the example of the secret" % variable["name"])
    if "owner" in json.dumps(container["env"]):
        problems.append("the service gets the database of its owner")
    if job["containers"][0]["image"] != container["image"]:
        problems.append("the job and the deployment run different images")
    for spec in (pod, job):
        for item in spec["containers"]:
            context = item["securityContext"]
            if context["allowPrivilegeEscalation"] or not context["readOnlyRootFilesystem"]:
                problems.append("%s may do more than it needs" % item["name"])
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for mount in container["volumeMounts"]:
        if mount["name"] not in volumes:
            problems.append("the volume %s is not declared" % mount["name"])
    config = by_kind["ConfigMap"]
    if volumes["config"]["configMap"]["name"] != config["metadata"]["name"]:
        problems.append("the pods mount another ConfigMap")
    settings = json.loads(config["data"]["entitled.json"])
    seconds = sum(int(re.fullmatch(r"PT(\d+)S", settings["shutdown"][key]).group(1)) for key in ("notice", "timeLimit"))
    if pod["terminationGracePeriodSeconds"] <= seconds:
        problems.append("the pods are killed before their shutdown of %d seconds is over" % seconds)
    if settings["listen"]["port"] != container["ports"][0]["containerPort"]:
        problems.append("the configuration listens on another port")
    for name in by_kind["Kustomization"]["resources"]:
        if not os.path.exists(path("kubernetes", name)):
            problems.append("kustomization.yaml names %s, which there is not" % name)
    check("the manifests fit together", problems)
    check_configuration(config["data"]["entitled.json"])
    check_schemas()


def check_configuration(document):
    program = os.environ.get("ENTITLED_PROGRAM") or next(
        (file for kind in ("release", "debug")
         if os.access(file := os.path.join(repository, ".build", kind, "entitled"), os.X_OK)), None)
    if not program:
        return skip("the configuration of the manifests", "the program is not built")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(document)
        file.flush()
        environment = dict(os.environ, ENTITLED_DATABASE="postgresql://entitled_service@db.example.com/entitled")
        check("entitled serve --check-config takes the configuration of the manifests",
              run(program, "serve", "--config", file.name, "--check-config", env=environment))


def check_schemas():
    validator = tool("kubernetes-validate")
    if not validator:
        skip("schemas of Kubernetes", "kubernetes-validate of PyPI has them")
    else:
        # Kinds of operators and of kustomize are in no schema of Kubernetes itself.
        files = [path("kubernetes", name) for name, document in manifests()
                 if document["apiVersion"].count(".") < 2 or document["apiVersion"].split("/")[0].endswith(".k8s.io")
                 and document["kind"] != "Kustomization"]
        check("the schemas of Kubernetes take %d manifests" % len(files),
              run(validator, "--strict", "--quiet", *files))
    if not shutil.which("kubectl"):
        # No package of the distribution has it.
        return print("SKIPPED kubectl kustomize: kubectl is not installed")
    check("kubectl kustomize puts the manifests together", run("kubectl", "kustomize", path("kubernetes")))
