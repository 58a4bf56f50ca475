"""Uses a private network with tronpy. Reads {accounts, witness, register} as JSON. Prints the results as one JSON object."""

import json
import sys

from tronpy import Contract, Tron
from tronpy.exceptions import AddressNotFound, TransactionNotFound, TvmError, ValidationError
from tronpy.keys import PrivateKey
from tronpy.providers import HTTPProvider

# Time in ms in which a transaction is valid. It is longer than the test takes on any machine.
EXPIRATION_MS = 6 * 3_600_000

given = json.load(sys.stdin)
client = Tron(HTTPProvider("http://127.0.0.1:8090"))
owner, receiver = given["accounts"]
key = PrivateKey(bytes.fromhex(owner["privateKey"]))
seen = {}


def send(builder):
    """Signs and broadcasts a transaction, and waits for its block. Returns its receipt."""
    transaction = builder.expiration(EXPIRATION_MS).build().sign(key)
    return transaction.broadcast().wait(interval=0.1)


def error_of(run):
    """Returns name and text of the exception of a call."""
    try:
        run()
    except (AddressNotFound, TransactionNotFound, TvmError, ValidationError) as error:
        return [type(error).__name__, str(error)]
    return None


def main():
    seen["address"] = key.public_key.to_base58check_address()

    block = client.get_latest_block()
    number = block["block_header"]["raw_data"]["number"]
    seen["sameBlock"] = client.get_block(number)["blockID"] == client.get_block(block["blockID"])["blockID"]
    seen["solidNumber"] = client.get_latest_solid_block_number()
    seen["witnesses"] = [witness["address"] for witness in client.list_witnesses()]
    seen["version"] = client.get_node_info()["configNodeInfo"]["codeVersion"]
    seen["parameters"] = len(client.get_chain_parameters())

    before = client.get_account_balance(receiver["address"])
    transfer = client.trx.transfer(owner["address"], receiver["address"], 1_500_000).memo("hello").expiration(EXPIRATION_MS)
    transaction = transfer.build().sign(key)
    sent = transaction.broadcast()
    info = sent.wait(interval=0.1)
    seen["transfer"] = {"id": sent.txid, "block": info["blockNumber"]}
    seen["received"] = str(client.get_account_balance(receiver["address"]) - before)
    seen["memo"] = bytes.fromhex(client.get_transaction(sent.txid)["raw_data"]["data"]).decode()
    seen["permission"] = client.get_account_permission(owner["address"])["owner"]["threshold"]
    seen["bandwidth"] = client.get_bandwidth(receiver["address"])

    register = given["register"]
    deployed = send(
        client.trx.deploy_contract(
            owner["address"],
            Contract(bytecode=register["bytecode"] + "%064x" % 5, abi=register["abi"], name=register["name"], origin_energy_limit=10_000_000),
        ).fee_limit(1_000_000_000)
    )
    contract = client.get_contract(deployed["contract_address"])
    seen["contract"] = {
        "address": contract.contract_address,
        "name": contract.name,
        "functions": sorted(function.name for function in contract.functions),
        "before": contract.functions.value(),
    }
    called = send(contract.functions.set(42).with_owner(owner["address"]).fee_limit(1_000_000_000))
    [event] = contract.events.Changed.process_receipt(called)
    seen["contract"]["after"] = contract.functions.value()
    seen["contract"]["event"] = event["args"]
    seen["contract"]["result"] = called["receipt"]["result"]
    seen["contract"]["estimate"] = client.get_estimated_energy(
        owner["address"], contract.contract_address, "set(uint256)", "%064x" % 7
    )

    frozen = send(client.trx.freeze_balance(owner["address"], 2_000_000_000, "ENERGY"))
    seen["frozenBlock"] = frozen["blockNumber"]
    send(client.trx.delegate_resource(owner["address"], receiver["address"], 1_000_000_000, "ENERGY"))
    seen["delegated"] = client.get_delegated_resource_v2(owner["address"], receiver["address"])
    send(client.trx.vote_witness(owner["address"], (given["witness"], 1500)))
    seen["votes"] = client.get_account(owner["address"])["votes"]
    send(client.trx.undelegate_resource(owner["address"], receiver["address"], 1_000_000_000, "ENERGY"))
    send(client.trx.unfreeze_balance(owner["address"], "ENERGY", unfreeze_balance=500_000_000))
    seen["unfrozen"] = client.get_account(owner["address"])["unfrozenV2"][0]["unfreeze_amount"]
    seen["energyLimit"] = client.get_account_resource(owner["address"])["EnergyLimit"]

    stranger = PrivateKey.random().public_key.to_base58check_address()
    seen["errors"] = {
        "account": error_of(lambda: client.get_account(stranger)),
        "transaction": error_of(lambda: client.get_transaction("00" * 32)),
        "balance": error_of(lambda: send(client.trx.transfer(owner["address"], receiver["address"], 10**18))),
        "function": error_of(lambda: client.trigger_constant_contract(owner["address"], contract.contract_address, "other()", "")),
    }


main()
json.dump(seen, sys.stdout, default=str)
