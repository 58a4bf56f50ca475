import { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { keccak256 } from '../../../crypto/hash.js';
import { itemAt } from '../../../primitives/assert.js';
import { fromHex, utf8 } from '../../../primitives/bytes.js';
import type { SeenCall, SeenLog } from '../tracing/seen-call.js';

/** Contract address in the logs of TRX transfers. In Ethereum tools, this address represents ETH. */
const COIN = fromHex('ee'.repeat(20));
const TRANSFER = keccak256(utf8('Transfer(address,address,uint256)'));

/**
 * Returns the logs of a call and its nested calls in order. For each TRX transfer, adds a log with the form of a
 * token's `Transfer` event.
 */
export function logsWithTransfers(call: SeenCall): TransactionInfoLog[] {
  const logs: TransactionInfoLog[] = [];
  addLogs(logs, call);
  return logs;
}

function addLogs(logs: TransactionInfoLog[], call: SeenCall): void {
  if (call.error !== undefined) return;
  if (movesTrx(call)) logs.push(transferLog(call));
  let next = 0;
  for (const log of call.logs) {
    for (; next < log.position; next++) addLogs(logs, itemAt(call.calls, next));
    logs.push(programLog(log));
  }
  for (; next < call.calls.length; next++) addLogs(logs, itemAt(call.calls, next));
}

/** Returns true if the call transfers TRX. A delegate call has the value of its caller, but transfers nothing. */
function movesTrx({ type, value = 0n, to }: SeenCall): boolean {
  return value > 0n && to !== null && ['CALL', 'CALLTOKEN', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(type);
}

function transferLog({ from, to, value = 0n }: SeenCall): TransactionInfoLog {
  const sides = [from, to].map((address) => wordOf(address ?? '0x'));
  return Object.assign(new TransactionInfoLog(), {
    address: COIN,
    topics: [TRANSFER, ...sides],
    data: wordOf(`0x${value.toString(16)}`),
  });
}

function programLog({ address, topics, data }: SeenLog): TransactionInfoLog {
  return Object.assign(new TransactionInfoLog(), {
    address: fromHex(address.slice(2)),
    topics: topics.map((topic) => fromHex(topic.slice(2))),
    data: fromHex(data.slice(2)),
  });
}

function wordOf(hex: string): Uint8Array {
  return fromHex(hex.slice(2).padStart(64, '0'));
}
