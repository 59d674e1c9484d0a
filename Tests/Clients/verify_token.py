"""PyJWT verifies the tokens of entitlements.token with nothing but the key set."""

import datetime
import json
import os
import subprocess
import time
import urllib.request

import jwt

from checks import HEADERS, KEY_SET_URL, URL, check, grant, new_account, run


def call(method, params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    message = urllib.request.Request(URL, data=json.dumps(body).encode(), headers=HEADERS)
    with urllib.request.urlopen(message, timeout=10) as response:
        answer = json.load(response)
    assert "result" in answer, answer
    return answer["result"]


def verified(token, keys=None, **options):
    key = (keys or jwt.PyJWKClient(KEY_SET_URL)).get_signing_key_from_jwt(token)
    return jwt.decode(token, key.key, algorithms=["EdDSA"], issuer="entitled", **options)


def refused(error, token, **options):
    try:
        verified(token, **options)
    except error:
        return
    raise AssertionError("the token was taken, %s was expected" % error.__name__)


def kid(token):
    return jwt.get_unverified_header(token)["kid"]


@check
def a_token_verifies_and_says_what_the_service_says():
    account = new_account()
    call("grants.issue", grant(account))
    result = call("entitlements.token", {"account": account, "audience": "game"})
    claims = verified(
        result["token"],
        audience="game",
        subject=account,
        options={"require": ["iss", "sub", "aud", "iat", "nbf", "exp"]},
    )
    assert claims["entitlements"] == {"pro": {"active": True, "state": "active", "expiresAt": None}}, claims
    assert claims["balances"] == {} and claims["environment"] == "Production", claims
    assert claims["position"] == result["position"], claims
    assert claims["exp"] - claims["iat"] == 3600, claims


@check
def a_token_ends_no_later_than_its_entitlement():
    account = new_account()
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=100.5)
    call("grants.issue", grant(account, expiresAt=int(end.timestamp() * 1000)))
    claims = verified(call("entitlements.token", {"account": account, "ttl": 86400})["token"])
    assert claims["exp"] == int(end.timestamp()), (claims["exp"], end.timestamp())


@check
def another_audience_and_a_changed_token_are_refused():
    token = call("entitlements.token", {"account": new_account(), "audience": "game"})["token"]
    refused(jwt.InvalidAudienceError, token, audience="shop")
    refused(jwt.InvalidAudienceError, token)
    header, claims, signature = token.split(".")
    other = call("entitlements.token", {"account": new_account(), "audience": "game"})["token"].split(".")
    refused(jwt.InvalidSignatureError, ".".join([header, other[1], signature]), audience="game")


@check
def a_token_is_refused_from_its_end_on():
    token = call("entitlements.token", {"account": new_account(), "ttl": 1})["token"]
    end = jwt.decode(token, options={"verify_signature": False})["exp"]
    deadline = time.time() + 10
    while time.time() < end and time.time() < deadline:
        time.sleep(max(0, end - time.time()))
    refused(jwt.ExpiredSignatureError, token)


@check
def keys_are_replaced_while_tokens_go_on_verifying():
    account = new_account()
    old = call("entitlements.token", {"account": account})["token"]
    subprocess.run(
        [
            os.environ["ENTITLED_PROGRAM"],
            "keys",
            "rotate-signing",
            "--directory",
            os.environ["ENTITLED_SIGNING_KEYS"],
            "--after",
            "PT0S",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    new, deadline = old, time.time() + 30
    while kid(new) == kid(old) and time.time() < deadline:
        time.sleep(0.1)
        new = call("entitlements.token", {"account": account})["token"]
    assert kid(new) != kid(old), "the new key does not sign"
    keys = jwt.PyJWKClient(KEY_SET_URL)
    assert verified(old, keys)["sub"] == verified(new, keys)["sub"] == account


run("PyJWT")
