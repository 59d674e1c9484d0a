"""jsonrpc-requests: a proxy over requests. It knows no batches."""

from jsonrpc_requests import ProtocolError, Server

from checks import HEADERS, URL, check, grant, new_account, run

server = Server(URL, headers=HEADERS)


@check
def a_single_call_has_a_result():
    account = new_account()
    assert server.entitlements.get(account=account)["account"] == account


@check
def a_notification_has_its_effect_and_no_answer():
    account = new_account()
    assert server.grants.issue(**grant(account), _notification=True) is None
    assert server.entitlements.check(account=account, entitlement="pro")["active"] is True


@check
def errors_have_a_code_and_a_reason():
    try:
        server.grants.issue(account=new_account(), entitlement="pro")
    except ProtocolError as error:
        answer = error.server_data["error"]
        assert answer["code"] == -32602 and answer["data"]["reason"] == "invalidParams", answer
    else:
        raise AssertionError("a grant without a reason was taken")


run("jsonrpc-requests")
