#!/usr/bin/python3
"""Holds what a node published to the schemas in deploy/schemas.

Reads lines of `mosquitto_sub -v` from standard input, a topic and a payload each, picks the schema by the topic, and
reports each violation with its line and path. Documents on control topics are judged with --control only, because a
test may push a bad one on purpose. Ends with how many payloads of each kind there were; the exit code is 1 if anything
was wrong or nothing was there, 2 if it cannot work.

Needs Debian's python3-jsonschema.
"""

import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("validate_payloads.py: python3-jsonschema is missing", file=sys.stderr)
    sys.exit(2)

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "deploy" / "schemas"
DATA = re.compile(r"^(?:.+/)?data/[^/]+/[^/]+/(?:(enter|exit|region|ranging|alert)/[^/]+|(window|status|state|health|reply))$")
CONTROL = re.compile(r"^(?:.+/)?control/node/[^/]+/config$")
# How mosquitto_sub shows an empty payload.
EMPTY = ("", "(null)")


def load():
    """Every schema by its kind, each of them valid itself."""
    schemas = {}
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        schemas[path.name.removesuffix(".schema.json")] = json.loads(path.read_text(encoding="utf-8"))
    store = {schema["$id"]: schema for schema in schemas.values()}
    validators = {}
    for kind, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver(schema["$id"], schema, store=store)
        validators[kind] = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return validators


def members(pairs):
    """An object, none of whose names is given twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError("a name is given twice: " + " ".join(names))
    return dict(pairs)


def kind_of(topic, with_control):
    """Which schema a topic's payloads are held to; None where there is none."""
    if CONTROL.match(topic):
        return "control-config" if with_control else None
    match = DATA.match(topic)
    if match:
        return match.group(1) or match.group(2)
    return "?" if re.search(r"(^|/)data/", topic) else None


def problems(kind, payload, validators):
    """What is wrong with a payload, a sentence each."""
    if payload in EMPTY:
        # A region that is no longer watched, and a layer that is removed.
        return [] if kind in ("region", "control-config") else ["the payload is empty"]
    try:
        value = json.loads(payload, object_pairs_hook=members)
    except ValueError as error:
        return [f"it is not JSON: {error}"]
    errors = sorted(validators[kind].iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{error.json_path}: {error.message}" for error in errors]


def main():
    if sys.argv[1:] not in ([], ["--control"]):
        print("usage: validate_payloads.py [--control] < lines of mosquitto_sub -v", file=sys.stderr)
        return 2
    validators = load()
    counts, others, wrong = {}, 0, 0
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            topic, _, payload = line.decode("utf-8").rstrip("\n").partition(" ")
        except UnicodeDecodeError as error:
            print(f"{number}: this is not UTF-8: {error}")
            wrong += 1
            continue
        kind = kind_of(topic, sys.argv[1:] == ["--control"])
        if kind is None:
            others += 1
            continue
        found = ["there is no schema for this topic"] if kind == "?" else problems(kind, payload, validators)
        for problem in found:
            print(f"{number}: {topic}: {problem}")
        wrong += len(found)
        counts[kind] = counts.get(kind, 0) + 1
    total = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"{total or 'no payload'}; {others} other lines; {wrong} violations")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
