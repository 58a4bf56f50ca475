import type { Chain } from '../../../src/chain/chain.js';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  type Transaction,
  TransactionInfo,
  TransactionRet,
} from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { isJavaStore, storeName } from '../../../src/projections/state/stores.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { executeTransaction } from '../../../src/state-transition/transactions/execute-transaction.js';
import type { Rows } from '../../conformance/compare-rows.js';
import { explain, explainInfos } from '../../conformance/replay-session.js';
import { compareStep, type ShadowState } from '../../conformance/shadow-state.js';
import type { Refusal } from './java-node.js';

/**
 * Result of a transaction that is executed in a block but not stored: its receipt (encoded, hex) and the rows that it
 * writes.
 */
export interface Attempt {
  readonly receipt: string;
  readonly rows: Rows;
}

/**
 * Returns an encoded block without transactions and without signature, as the context in which a transaction is
 * executed.
 */
export function blockOfAttempt(chain: Chain, witness: Uint8Array, timeMs: number): Uint8Array {
  const { headNumber, headId } = chain.ledger.position;
  const rawData = Object.assign(new BlockHeaderRaw(), {
    timestamp: BigInt(timeMs),
    number: BigInt(headNumber + 1),
    parentHash: headId,
    witnessAddress: witness,
  });
  const blockHeader = Object.assign(new BlockHeader(), { rawData });
  return Block.encode(Object.assign(new Block(), { blockHeader }));
}

/** Executes a transaction on the state of the head without pending transactions. Reverts the changes afterwards. */
export function attemptOurs(
  chain: Chain,
  transaction: Transaction,
  witness: Uint8Array,
  timeMs: number,
): Attempt | Refusal {
  const { executor, ledger, state } = chain;
  const { headNumber, headId } = ledger.position;
  const block = { number: headNumber + 1, timeMs, witness, parentId: headId, isSigned: false };
  const mark = state.mark();
  try {
    const context = { transaction: decodeTransaction(transaction), block };
    const { info, internalTransactions } = executeTransaction(executor, state, context, { isVerified: false });
    info.internalTransactions = [...internalTransactions];
    const rows: Rows = {};
    for (const { store, key, value } of state.writtenSince(mark)) {
      if (!isJavaStore(store)) continue;
      const name = storeName(store);
      rows[name] = { ...rows[name], [toHex(key)]: value === undefined ? null : toHex(value) };
    }
    return { receipt: toHex(TransactionInfo.encode(info)), rows };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { error: error.exception, text: error.text };
  } finally {
    state.revertTo(mark);
  }
}

/** Stores with data of whole blocks. They are not compared, because an attempt stores no block. */
const OF_BLOCKS: readonly string[] = ['account-trace', 'balance-trace'];

/**
 * Compares the results of a transaction that both nodes executed without storing it. Returns a text if they differ,
 * otherwise undefined. Restores the rows of both states.
 */
export function attemptDifference(
  [expected, actual]: readonly [ShadowState, ShadowState],
  theirs: Attempt,
  ours: Attempt,
): string | undefined {
  if (theirs.receipt !== ours.receipt) return `receipts\n${explainInfos(asRet(theirs.receipt), asRet(ours.receipt))}`;
  const [theirRows, ourRows] = [theirs.rows, ours.rows].map(ofTransaction) as [Rows, Rows];
  const kept = [expected, actual].map(({ rows }) => valuesOf(rows, [theirRows, ourRows]));
  const differences = compareStep(expected, actual, theirRows, ourRows);
  for (const [at, state] of [expected, actual].entries()) {
    for (const [name, value] of kept[at] ?? []) {
      if (value === undefined) state.rows.delete(name);
      else state.rows.set(name, value);
    }
  }
  return differences.length === 0 ? undefined : `rows\n${differences.slice(0, 8).map(explain).join('\n')}`;
}

function asRet(receipt: string): string {
  const info = TransactionInfo.decode(Buffer.from(receipt, 'hex'));
  return toHex(TransactionRet.encode(Object.assign(new TransactionRet(), { transactioninfo: [info] })));
}

function ofTransaction(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([store]) => !OF_BLOCKS.includes(store)));
}

function valuesOf(rows: ReadonlyMap<string, string>, changes: readonly Rows[]): [string, string | undefined][] {
  return changes.flatMap((change) =>
    Object.entries(change).flatMap(([store, keys]) =>
      Object.keys(keys).map((key): [string, string | undefined] => [`${store}/${key}`, rows.get(`${store}/${key}`)]),
    ),
  );
}
