"""Reads a chain with web3.py over JSON-RPC. Prints the results as one line of JSON."""

import json
import sys

from web3 import HTTPProvider, Web3
from web3.exceptions import ContractLogicError, TransactionNotFound

asked = json.load(sys.stdin)
w3 = Web3(HTTPProvider(asked["url"]))
block = w3.eth.get_block(asked["height"], full_transactions=True)
receipt = w3.eth.get_transaction_receipt(asked["transaction"])
owner = Web3.to_checksum_address(asked["owner"])
place = Web3.to_checksum_address(asked["place"])
override = {place: {"code": asked["code"], "stateDiff": asked["stateDiff"]}}


def failure(run):
    try:
        run()
    except (ContractLogicError, TransactionNotFound) as error:
        return [type(error).__name__, str(error)]
    return None


simulated = w3.eth.simulate_v1(
    {
        "blockStateCalls": [{"stateOverrides": override, "calls": [{"from": owner, "to": place}]}],
        "traceTransfers": True,
    },
    "latest",
)
traced = w3.tracing.trace_transaction(asked["transaction"])
prestate = w3.manager.request_blocking(
    "debug_traceTransaction",
    [asked["transaction"], {"tracer": "prestateTracer", "tracerConfig": {"diffMode": True}}],
)
filtered = w3.tracing.trace_filter({"fromBlock": asked["height"], "toBlock": asked["height"], "count": 3})
replayed = w3.tracing.trace_replay_transaction(asked["transaction"], ["trace", "stateDiff"])

print(
    json.dumps(
        {
            "connected": w3.is_connected(),
            "chainId": w3.eth.chain_id,
            "number": w3.eth.block_number,
            "block": {"hash": block.hash.to_0x_hex(), "stateRoot": block.stateRoot.to_0x_hex()},
            "transactions": len(block.transactions),
            "receipt": [receipt.status, receipt.blockNumber, len(receipt.logsBloom)],
            "balances": [w3.eth.get_balance(owner, asked["height"]), w3.eth.get_balance(owner)],
            "count": w3.eth.get_transaction_count(owner),
            "history": len(w3.eth.fee_history(3, "latest", [10, 90]).reward),
            "fees": [w3.eth.gas_price, w3.eth.max_priority_fee],
            "call": w3.eth.call({"to": place, "data": "0x"}, "latest", override).to_0x_hex(),
            "estimate": w3.eth.estimate_gas({"from": owner, "to": place, "data": "0x"}, "latest", override),
            "logs": len(w3.eth.get_logs({"fromBlock": 1, "toBlock": "latest"})),
            "storage": len(w3.eth.get_storage_at(place, 0)),
            "reverted": failure(lambda: w3.eth.call({"from": owner, "data": asked["reverts"]})),
            "simulated": [simulated[0]["number"], simulated[0]["calls"][0]["returnData"].to_0x_hex()],
            "traced": [traced[0].blockNumber, traced[0].action["from"], traced[0].type],
            "blockTraces": len(w3.tracing.trace_block(asked["height"])),
            "filtered": len(filtered),
            "replayed": [len(replayed.trace), len(replayed.stateDiff)],
            "called": w3.tracing.trace_call({"from": owner, "data": "0x60015ff3"}, ["trace"], "latest").trace[0].type,
            "changed": len(prestate["post"]),
            # Init code that reads slot 1 with SLOAD.
            "accessList": [
                key.to_0x_hex() if hasattr(key, "to_0x_hex") else key
                for entry in w3.eth.create_access_list({"from": owner, "data": "0x60015450"}, "latest").accessList
                for key in entry.storageKeys
            ],
            "missing": failure(lambda: w3.eth.get_transaction("0x" + "00" * 32)),
        }
    )
)
