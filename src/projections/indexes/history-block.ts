import type { TransactionInfo } from '../../codec/generated/messages.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { equalBytes, fromHex, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { onFirstUseOf } from '../../primitives/on-first-use.js';
import { StoredBlock } from '../../state-transition/block/stored-block.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';
import type { ProjectedBlock } from '../runner/projection.js';
import { type ChangedAccount, changedAccounts } from './changed-accounts.js';
import { type TokenTransfer, transfersOf } from './token-transfer.js';

/** A transfer as the APIs show it, and the addresses of its sender and receiver. */
interface HistoryTransfer {
  readonly text: TokenTransfer;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** The sender or the receiver of a TRC20 transfer. */
interface TokenSide {
  readonly token: Uint8Array;
  readonly account: Uint8Array;
  /** Index of the transaction in the block, and index of the transfer among the TRC20 transfers of the transaction. */
  readonly row: { readonly transaction: number; readonly at: number };
}

/** The parts of a block that the indexes use. Each part is decoded once for all indexes, on first use. */
export class HistoryBlock {
  private readonly block: ProjectedBlock;
  readonly addressPrefix: number;
  private knownTransfers: readonly (readonly HistoryTransfer[])[] | undefined;
  private knownSides: readonly TokenSide[] | undefined;
  private knownAccounts: readonly ChangedAccount[] | undefined;

  constructor(block: ProjectedBlock, addressPrefix: number) {
    this.block = block;
    this.addressPrefix = addressPrefix;
  }

  get entry(): AppliedEntry {
    return this.block.entry;
  }

  get transactions(): readonly StoredTransaction[] {
    return storedBlockOf(this.block).transactions;
  }

  /** Receipts of all transactions; empty for genesis. */
  get receipts(): readonly TransactionInfo[] {
    return storedBlockOf(this.block).infos;
  }

  /** Transfers of each transaction, see {@link transfersOf}. */
  get transfers(): readonly (readonly HistoryTransfer[])[] {
    this.knownTransfers ??= this.transactions.map((transaction) =>
      transfersOf(transaction, this.addressPrefix).map((text) => ({
        text,
        from: fromHex(text.from),
        to: fromHex(text.to),
      })),
    );
    return this.knownTransfers;
  }

  /** Senders and receivers of all TRC20 transfers. */
  get tokenSides(): readonly TokenSide[] {
    this.knownSides ??= this.transfers.flatMap((ofTransaction, transaction) =>
      ofTransaction
        .filter(({ text }) => text.kind === 'TRC20')
        .flatMap(({ text, from, to }, at) => {
          const token = fromHex(text.token);
          return [from, to].map((account) => ({ token, account, row: { transaction, at } }));
        }),
    );
    return this.knownSides;
  }

  /**
   * Accounts whose row the block changed.
   * @throws {TronError} HISTORY_NOT_KEPT: the changes of the block are not retained
   */
  get accounts(): readonly ChangedAccount[] {
    this.knownAccounts ??= changedAccounts(this.block.changes());
    return this.knownAccounts;
  }
}

/**
 * Returns the decoded form of a block. Decodes each part on first use. Returns the same object for the same
 * `ProjectedBlock`, so that all projections that are built together share the decoded parts.
 */
export const storedBlockOf = onFirstUseOf(
  (block: ProjectedBlock) => new StoredBlock(block.entry, () => internalTransactionsOf(block)),
);

/** Returns the stored internal transactions; undefined if the changes of the block are not retained. */
function internalTransactionsOf(block: ProjectedBlock): Uint8Array | undefined {
  try {
    return block.changes().internalTransactions;
  } catch (error) {
    if (error instanceof TronError && error.code === 'HISTORY_NOT_KEPT') return undefined;
    throw error;
  }
}

/**
 * Returns the addresses in a contract parameter, sender first: the values of all fields whose name ends with
 * `address`.
 */
export function namedAddresses(parameter: object | undefined): Uint8Array[] {
  if (parameter === undefined) return [];
  return addressFields(parameter).flatMap((name) => {
    const value = parameter[name as keyof typeof parameter] as unknown;
    return value instanceof Uint8Array && value.length === ADDRESS_BYTES ? [value] : [];
  });
}

/** Returns the names of the fields of a message that end with `address`. */
function addressFields(message: object): readonly string[] {
  const known = fieldsByType.get(message.constructor);
  if (known !== undefined) return known;
  const names = Object.keys(message).filter((name) => /address$/i.test(name));
  fieldsByType.set(message.constructor, names);
  return names;
}

/** Cache of the names of address fields, by message class. All messages of a class have the same fields. */
const fieldsByType = new Map<object, readonly string[]>();

/**
 * Returns the distinct addresses, in order of first appearance. Omits values that do not have the length of an
 * address.
 */
export function distinct(addresses: readonly Uint8Array[]): Uint8Array[] {
  // Most lists have two to four addresses. Pairwise comparison then takes a fifth of the time of a map.
  if (addresses.length <= SHORT_LIST)
    return addresses.filter(
      (one, at) => one.length === ADDRESS_BYTES && addresses.findIndex((other) => equalBytes(one, other)) === at,
    );
  return [
    ...new Map(addresses.filter(({ length }) => length === ADDRESS_BYTES).map((one) => [toHex(one), one])).values(),
  ];
}

/** Maximum number of addresses for which pairwise comparison is used. */
const SHORT_LIST = 8;
