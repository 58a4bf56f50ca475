import {
  AccountTrace,
  BlockBalanceTrace,
  BlockBalanceTraceBlockIdentifier,
  TransactionContractContractType as ContractType,
  TransactionBalanceTrace,
} from '../../codec/generated/messages.js';
import { fromInt64, toHex } from '../../primitives/bytes.js';
import { BalanceTrace } from '../state/balance-trace.js';
import type { State } from '../state/state.js';
import type { DecodedTransaction } from '../transaction.js';
import { resultName } from '../transactions/execute-transaction.js';
import type { DecodedBlock } from './decoded-block.js';

const typeNames = new Map<number, string>(Object.entries(ContractType).map(([name, type]) => [type, name]));

/** Starts the balance history of a block, if the configuration enables it. Reference: BalanceTraceStore. */
export function beginBlockTrace(state: State): void {
  state.trace = state.rules.tracesBalances ? new BalanceTrace() : undefined;
}

/** Adds the balance changes of a transaction to the balance history of its block. */
export function endTransactionTrace(state: State, transaction: DecodedTransaction, resultCode: number): void {
  const { trace } = state;
  if (trace === undefined) return;
  if (trace.operations !== undefined && trace.operations.length > 0) {
    const row = new TransactionBalanceTrace();
    row.transactionIdentifier = transaction.id;
    row.type = typeNames.get(transaction.contractType) ?? 'UNRECOGNIZED';
    row.status = resultName(resultCode);
    row.operation = trace.operations;
    trace.transactions.push(row);
  }
  trace.operations = undefined;
}

/** Writes the balance history of the block, and the new balance of each account whose balance changed. */
export function endBlockTrace(state: State, block: DecodedBlock): void {
  const { trace } = state;
  if (trace === undefined) return;
  const row = new BlockBalanceTrace();
  row.blockIdentifier = new BlockBalanceTraceBlockIdentifier();
  row.blockIdentifier.hash = block.id;
  row.blockIdentifier.number = BigInt(block.number);
  row.timestamp = BigInt(block.timeMs);
  row.transactionBalanceTrace = trace.transactions;
  state.balanceTraces.put(toHex(fromInt64(BigInt(block.number))), BlockBalanceTrace.encode(row));
  for (const [address, balance] of trace.balances) {
    state.accountTraces.put(accountTraceKey(address, block.number), accountTrace(balance));
  }
  state.trace = undefined;
}

/**
 * Encodes a balance for the balance history. A constant in an additional field makes the row of a zero balance
 * non-empty.
 */
export function accountTrace(balance: bigint): Uint8Array {
  return AccountTrace.encode(Object.assign(new AccountTrace(), { balance, placeholder: balance === 0n ? 1n : 0n }));
}

/**
 * Returns the key of an account's balance row: address, then the inverted block number. Therefore, the newest row of an
 * account is first in key order.
 */
export function accountTraceKey(address: string, number: number): string {
  return address + toHex(fromInt64(BigInt(number) ^ 0x7fffffffffffffffn));
}
