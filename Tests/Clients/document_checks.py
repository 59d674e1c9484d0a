"""jsonschema, a validator that others wrote, on the OpenRPC document."""

import json
import os
import urllib.request

import jsonschema

from checks import check, run

RULES = os.path.join(os.path.dirname(__file__), "..", "Fixtures", "OpenRPC", "openrpc-1.3.json")

with urllib.request.urlopen(os.environ["ENTITLED_URL"] + "/openrpc.json", timeout=10) as response:
    document = json.load(response)


def validator(schema):
    """A validator for a schema of the document, whose references lead into the document."""
    return jsonschema.Draft7Validator({**schema, "components": document["components"]})


@check
def the_document_has_the_form_of_openrpc():
    with open(RULES, encoding="utf-8") as file:
        rules = json.load(file)
    jsonschema.Draft7Validator.check_schema(rules)
    jsonschema.Draft7Validator(rules).validate(document)


@check
def every_schema_is_one_of_draft_7():
    schemas = list(document["components"]["schemas"].values())
    for method in document["methods"]:
        schemas += [method["result"]["schema"]] + [parameter["schema"] for parameter in method["params"]]
    assert len(schemas) > 100, len(schemas)
    for schema in schemas:
        jsonschema.Draft7Validator.check_schema(schema)


@check
def every_example_fits_its_schemas():
    for method in document["methods"]:
        assert method["examples"], method["name"]
        parameters = {parameter["name"]: parameter for parameter in method["params"]}
        for example in method["examples"]:
            for value in example["params"]:
                validator(parameters[value["name"]]["schema"]).validate(value["value"])
            validator(method["result"]["schema"]).validate(example["result"]["value"])


run("jsonschema")
