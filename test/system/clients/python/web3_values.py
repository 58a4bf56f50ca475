"""Calls JSON-RPC methods with web3.py. Prints the value or the error of each method as one line of JSON."""

import asyncio
import json
import sys

from web3 import AsyncWeb3, HTTPProvider, Web3, WebSocketProvider

asked = json.load(sys.stdin)
w3 = Web3(HTTPProvider(asked["url"]))
eth = w3.eth
head, height, block_hash, tx = asked["head"], asked["height"], asked["hash"], asked["tx"]
owner, program = (Web3.to_checksum_address(asked[name]) for name in ("owner", "program"))
call = {"from": owner, "to": program}


def blocks():
    transactions = 0
    for number in range(head + 1):
        try:
            transactions += len(eth.get_block(number, full_transactions=True).transactions)
        except Exception as error:
            raise ValueError(f"block {number}: {error}") from error
    return f"{head + 1} {transactions}"


def block_of_hash():
    block = eth.get_block(block_hash)
    return f"{block.number} {len(block.transactions)}"


def transaction():
    found = eth.get_transaction(tx)
    signature = [int.from_bytes(found[name], "big") for name in ("r", "s")]
    return f"{found.value} {str(found.blockNumber is None).lower()} {signature[0]} {signature[1]}"


def receipt():
    found = eth.get_transaction_receipt(tx)
    return f"{found.status} {found.blockNumber} {found.transactionIndex}"


def fees():
    found = eth.fee_history(3, "latest", [10, 90])
    parts = [found.oldestBlock, len(found.baseFeePerGas), len(found.gasUsedRatio), len(found.reward)]
    return " ".join(map(str, parts))


def simulated():
    block = eth.simulate_v1({"blockStateCalls": [{"calls": [call]}]}, "latest")[0]
    return f"{block.number} {len(block.calls)}"


async def next_head():
    async with AsyncWeb3(WebSocketProvider(asked["socket"])) as live:
        await live.eth.subscribe("newHeads")
        async for message in live.socket.process_subscriptions():
            return message["result"]["number"] > head


readers = {
    "net_version": lambda: w3.net.version,
    "net_listening": lambda: w3.net.listening,
    "net_peerCount": lambda: w3.net.peer_count,
    "web3_clientVersion": lambda: w3.client_version,
    "eth_chainId": lambda: eth.chain_id,
    "eth_blockNumber": lambda: eth.block_number,
    "eth_syncing": lambda: eth.syncing,
    "eth_accounts": lambda: len(eth.accounts),
    "eth_gasPrice": lambda: eth.gas_price,
    "eth_maxPriorityFeePerGas": lambda: eth.max_priority_fee,
    "eth_getBalance": lambda: eth.get_balance(owner, height),
    "eth_getCode": lambda: eth.get_code(program, height).to_0x_hex(),
    "eth_getStorageAt": lambda: eth.get_storage_at(program, 0, height).to_0x_hex(),
    "eth_getTransactionCount": lambda: eth.get_transaction_count(owner),
    "eth_getBlockByNumber": blocks,
    "eth_getBlockByHash": block_of_hash,
    "eth_getBlockTransactionCountByHash": lambda: eth.get_block_transaction_count(block_hash),
    "eth_getBlockTransactionCountByNumber": lambda: eth.get_block_transaction_count(head),
    "eth_getBlockReceipts": lambda: sum(len(eth.get_block_receipts(number)) for number in range(1, head + 1)),
    "eth_getTransactionByHash": transaction,
    "eth_getTransactionByBlockHashAndIndex": lambda: eth.get_transaction_by_block(block_hash, 0)["from"].lower(),
    "eth_getTransactionByBlockNumberAndIndex": lambda: eth.get_transaction_by_block(height, 0)["from"].lower(),
    "eth_getTransactionReceipt": receipt,
    "eth_getLogs": lambda: len(eth.get_logs({"fromBlock": 0, "toBlock": head})),
    "eth_newFilter": lambda: "event" if eth.filter({"fromBlock": 0}).filter_id else "",
    "eth_newBlockFilter": lambda: "block" if eth.filter("latest").filter_id else "",
    "eth_getFilterChanges": lambda: len(eth.filter("latest").get_new_entries()),
    "eth_getFilterLogs": lambda: len(eth.filter({"fromBlock": 0, "toBlock": head}).get_all_entries()),
    "eth_uninstallFilter": lambda: eth.uninstall_filter(eth.filter("latest").filter_id),
    "eth_feeHistory": fees,
    "eth_call": lambda: eth.call(call, height).to_0x_hex(),
    "eth_estimateGas": lambda: eth.estimate_gas(call),
    "eth_createAccessList": lambda: len(eth.create_access_list(call)["accessList"]),
    "eth_simulateV1": simulated,
    "eth_subscribe": lambda: asyncio.run(asyncio.wait_for(next_head(), 30)),
}


def shown(read):
    try:
        value = read()
    except Exception as error:
        return f"error: {type(error).__name__}: {error}"
    return str(value).lower() if isinstance(value, bool) else str(value)


print(json.dumps({method: shown(readers[method]) for method in asked["methods"] if method in readers}))
