"""jsonrpclib-pelix: a proxy whose attributes are the methods."""

import jsonrpclib

from checks import HEADERS, URL, check, grant, new_account, run

server = jsonrpclib.ServerProxy(URL, headers=HEADERS)


@check
def a_single_call_has_a_result():
    account = new_account()
    answer = server.entitlements.get(account=account)
    assert answer["account"] == account
    assert answer["balances"] == {}


@check
def a_batch_has_an_answer_for_each_call_but_notifications():
    account = new_account()
    batch = jsonrpclib.MultiCall(server)
    batch.grants.issue(**grant(account))
    batch._notify.entitlements.get(account=account)
    batch.entitlements.check(account=account, entitlement="pro")
    issued, checked = batch()
    assert issued["position"] and checked["active"] is True, (issued, checked)


@check
def a_notification_has_its_effect_and_no_answer():
    account = new_account()
    assert server._notify.grants.issue(**grant(account)) is None
    assert server.entitlements.check(account=account, entitlement="pro")["active"] is True


@check
def a_batch_of_notifications_has_no_answer():
    batch = jsonrpclib.MultiCall(server)
    batch._notify.entitlements.get(account=new_account())
    batch._notify.entitlements.get(account=new_account())
    assert list(batch() or []) == []


@check
def errors_have_a_code_and_a_reason():
    try:
        server.entitlements.get(originalTransactionId=2000000000000001)
    except jsonrpclib.ProtocolError as error:
        code, message, data = error.args[0] if len(error.args[0]) == 3 else (*error.args[0], None)
        assert code == -32602, error
        assert "originalTransactionId must be text" in message, message
        assert data is None or data["parameter"] == "originalTransactionId", data
    else:
        raise AssertionError("a numeric id was taken")


@check
def an_unknown_method_is_told_as_such():
    try:
        server.no.such.method()
    except jsonrpclib.ProtocolError as error:
        assert error.args[0][0] == -32601, error
    else:
        raise AssertionError("an unknown method was answered")


run("jsonrpclib-pelix")
