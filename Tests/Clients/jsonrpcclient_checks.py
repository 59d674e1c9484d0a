"""jsonrpcclient (bodies and answers) over urllib of the standard library."""

import json
import urllib.request

from jsonrpcclient import Error, Ok, notification, parse, request, request_uuid

from checks import HEADERS, URL, check, grant, new_account, run


def post(body, headers=HEADERS):
    """The answer's text as JSON; None when it is empty."""
    message = urllib.request.Request(
        URL, data=json.dumps(body).encode(), headers={"Content-Type": "application/json", **headers}
    )
    with urllib.request.urlopen(message, timeout=10) as response:
        text = response.read()
    return json.loads(text) if text else None


@check
def a_single_call_has_a_result():
    account = new_account()
    answer = parse(post(request("entitlements.get", params={"account": account})))
    assert isinstance(answer, Ok), answer
    assert answer.result["account"] == account
    assert answer.result["entitlements"] == []


@check
def ids_come_back_as_they_were_sent():
    params = {"account": new_account()}
    for body in [request_uuid("entitlements.get", params=params)] + [
        request("entitlements.get", params=params, id=i) for i in (0, 9007199254740993, "7", 1.5)
    ]:
        answer = parse(post(body))
        assert isinstance(answer, Ok), answer
        assert answer.id == body["id"] and type(answer.id) is type(body["id"]), (answer.id, body["id"])


@check
def a_batch_has_an_answer_for_each_call_but_notifications():
    account = new_account()
    bodies = [
        request("grants.issue", params=grant(account), id="a"),
        notification("entitlements.get", params={"account": account}),
        request("entitlements.check", params={"account": account, "entitlement": "pro"}, id="b"),
        request("entitlements.check", params={"account": 7}, id="c"),
    ]
    answers = {answer.id: answer for answer in parse(post(bodies))}
    assert sorted(answers) == ["a", "b", "c"], answers
    assert answers["b"].result["active"] is True
    assert isinstance(answers["c"], Error) and answers["c"].code == -32602


@check
def a_notification_has_its_effect_and_no_answer():
    account = new_account()
    assert post(notification("grants.issue", params=grant(account))) is None
    answer = parse(post(request("entitlements.check", params={"account": account, "entitlement": "pro"})))
    assert answer.result["active"] is True
    assert post([notification("entitlements.get", params={"account": account})] * 2) is None


@check
def errors_have_a_code_and_a_reason():
    unknown = parse(post(request("no.such.method")))
    assert isinstance(unknown, Error) and unknown.code == -32601, unknown
    missing = parse(post(request("entitlements.get")))
    assert missing.code == -32602 and missing.data["parameter"] == "account", missing
    stranger = parse(post(request("entitlements.get", params={"account": new_account()}), headers={}))
    assert stranger.code == 1 and stranger.data == {"reason": "unauthorized", "retryable": False}, stranger


run("jsonrpcclient")
