import {
  Block,
  type InternalTransaction,
  type Transaction,
  type TransactionInfo,
  TransactionRet,
} from '../../codec/generated/messages.js';
import { ADDRESS_BYTES } from '../../domain/address.js';
import { toHex } from '../../domain/bytes.js';
import { TronError } from '../../domain/errors.js';
import type { ProjectedBlock } from '../../projections/folds/projection.js';
import type { BlockChanges } from '../../projections/ledger/ledger.js';
import { internalOf } from '../../streams/follow/block-content.js';
import { decodeParameter } from '../../vm/transactions/decode-transaction.js';

/** A transaction of a block with all that histories are made of. */
export interface TransactionParts {
  readonly index: number;
  readonly message: Transaction;
  /** Decoded contract; undefined where it does not parse. */
  readonly parameter: object | undefined;
  readonly type: number | undefined;
  /** Undefined in genesis. */
  readonly info: TransactionInfo | undefined;
  readonly internal: readonly InternalTransaction[];
}

export function transactionsOf(block: ProjectedBlock): TransactionParts[] {
  const { entry } = block;
  const infos = TransactionRet.decode(entry.results).transactioninfo;
  const internal = internalOf(infos, () => changesOf(block));
  return Block.decode(entry.block).transactions.map((message, index) => {
    const contract = message.rawData?.contract[0];
    const parameter = contract === undefined ? undefined : decodeParameter(contract);
    return { index, message, parameter, type: contract?.type, info: infos[index], internal: internal[index] ?? [] };
  });
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
