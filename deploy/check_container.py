"""The checks of the Containerfile."""

import json
import os
import re
import shutil
import subprocess

from checking import check, path, repository, run, skip, text


def container_stages():
    """The instructions of the Containerfile by stage, continued lines joined."""
    lines, current = [], ""
    for line in text("container", "Containerfile").splitlines():
        if line.startswith("#") or (not line.strip() and not current):
            continue
        if line.endswith("\\"):
            current += line[:-1] + " "
            continue
        lines.append((current + line).strip())
        current = ""
    stages, arguments = [], {}
    for line in lines:
        instruction, _, rest = line.partition(" ")
        if instruction == "ARG" and not stages:
            name, _, value = rest.partition("=")
            arguments[name] = value
        elif instruction == "FROM":
            words = rest.split()
            image = re.sub(r"\$\{(\w+)\}", lambda match: arguments.get(match.group(1), ""), words[0])
            stages.append({"image": image, "name": words[2] if len(words) == 3 else None, "lines": []})
        else:
            stages[-1]["lines"].append((instruction, rest))
    return stages


def installed_packages(stage):
    found = []
    for instruction, rest in stage["lines"]:
        if instruction == "RUN":
            for command in rest.split("&&"):
                words = command.split()
                if words[:2] == ["apt-get", "install"]:
                    found += [word for word in words[2:] if not word.startswith("-")]
    return found


def check_container():
    known = {"ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "LABEL", "RUN", "STOPSIGNAL", "USER", "WORKDIR"}
    stages = container_stages()
    problems = []
    for stage in stages:
        if not re.fullmatch(r"[a-z0-9./-]+:[a-z0-9.-]+", stage["image"]) or stage["image"].endswith(":latest"):
            problems.append("'%s' is no image with a version" % stage["image"])
        for instruction, rest in stage["lines"]:
            if instruction not in known:
                problems.append("%s is no instruction that is expected here" % instruction)
            if instruction in ("CMD", "ENTRYPOINT") and not isinstance(json.loads(rest), list):
                problems.append("%s is no list" % instruction)
            if instruction == "COPY":
                words = rest.split()
                source = next((word[7:] for word in words if word.startswith("--from=")), None)
                if source and source not in [other["name"] for other in stages]:
                    problems.append("COPY --from=%s names no stage" % source)
                for word in [] if source else words[:-1]:
                    if not os.path.exists(os.path.join(repository, word)):
                        problems.append("COPY of %s, which there is not" % word)
    final = dict(stages[-1]["lines"])
    if not re.fullmatch(r"[1-9]\d+:[1-9]\d+", final.get("USER", "")):
        problems.append("the image does not run as an unprivileged user by number")
    if final.get("STOPSIGNAL") != "SIGTERM":
        problems.append("the image is not stopped by SIGTERM")
    built = set(installed_packages(stages[0]))
    needed = set(re.findall(r"library \w+ (lib[\w-]+-dev)", text("install-packages.sh")))
    problems += ["the build stage lacks %s" % name for name in sorted(needed - built)]
    check("the Containerfile", problems)
    check_packages(stages)
    check_linked(set(installed_packages(stages[-1])))


def check_packages(stages):
    if not shutil.which("apt-cache"):
        return skip("packages of the Containerfile", "apt-cache is only on Debian and its kin")
    problems = []
    for name in sorted({name for stage in stages for name in installed_packages(stage)}):
        if run("apt-cache", "show", name):
            problems.append("the distribution has no package %s" % name)
    check("packages of the Containerfile are the distribution's", problems)


def check_linked(packages):
    """What the program is linked with comes with the packages of the last stage."""
    program = os.environ.get("ENTITLED_PROGRAM") or os.path.join(repository, ".build", "release", "entitled")
    if not (os.access(program, os.X_OK) and shutil.which("dpkg-query") and shutil.which("ldd")):
        return skip("libraries of the program", "build it for release, on Debian")
    # Swift's own libraries are inside the image's program; what they need themselves is needed all the same.
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    paths = {os.path.realpath(file) for file in re.findall(r"=> (/\S+)", linked) if "/swift/" not in file}
    # Merged directories: the package's list may say /lib where the file is /usr/lib.
    spellings = {other for file in paths for other in (file, file[4:] if file.startswith("/usr") else "/usr" + file)}
    owners = subprocess.run(["dpkg-query", "-S", *sorted(spellings)], capture_output=True, text=True).stdout
    found = {line.partition(":")[0] for line in owners.splitlines()}
    closure = subprocess.run(
        ["apt-cache", "depends", "--recurse", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks",
         "--no-replaces", "--no-enhances", *sorted(packages)], capture_output=True, text=True).stdout
    available = set(re.findall(r"^(\S+)$", closure, re.M)) | packages
    problems = ["%s is linked, and does not come with the image's packages" % name for name in sorted(found - available)]
    if not found:
        problems.append("no library was found")
    check("the %d libraries of the program come with the image's packages" % len(paths), problems)
