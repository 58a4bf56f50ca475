import { ADDRESS_BYTES } from '../../domain/address.js';
import { toHex } from '../../domain/bytes.js';
import { TronError } from '../../domain/errors.js';
import type { ProjectedBlock } from '../../projections/folds/projection.js';
import type { BlockChanges } from '../../projections/ledger/ledger.js';
import { StoredBlock, type StoredTransaction } from '../../vm/block/stored-block.js';

/** A transaction of a block with all that histories are made of. */
export type TransactionParts = Pick<
  StoredTransaction,
  'index' | 'message' | 'contract' | 'parameter' | 'info' | 'internal'
>;

export function transactionsOf(block: ProjectedBlock): readonly TransactionParts[] {
  return new StoredBlock(block.entry, () => changesOf(block)?.internalTransactions).transactions;
}

function changesOf(block: ProjectedBlock): BlockChanges | undefined {
  try {
    return block.changes();
  } catch (error) {
    if (error instanceof TronError && error.code === 'HISTORY_NOT_KEPT') return undefined;
    throw error;
  }
}

/** Addresses that a contract names, its sender first: every field whose name says so. */
export function namedAddresses(parameter: object | undefined): Uint8Array[] {
  return Object.entries(parameter ?? {}).flatMap(([name, value]) =>
    /address$/i.test(name) && value instanceof Uint8Array && value.length === ADDRESS_BYTES ? [value] : [],
  );
}

/** Each address once. */
export function distinct(addresses: readonly Uint8Array[]): Uint8Array[] {
  return [
    ...new Map(addresses.filter(({ length }) => length === ADDRESS_BYTES).map((one) => [toHex(one), one])).values(),
  ];
}
