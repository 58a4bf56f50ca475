"""web3.py over JSON-RPC: what it reads of a chain, as one line of JSON."""

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
            "missing": failure(lambda: w3.eth.get_transaction("0x" + "00" * 32)),
        }
    )
)
