import {
  Account,
  AssetIssueContract,
  Exchange,
  MarketAccountOrder,
  MarketOrder,
  Proposal,
  SmartContract,
  Votes,
  Witness,
} from '../../log/codec/generated/messages.js';
import { equalBytes, fromInt64 } from '../../log/domain/bytes.js';

/** What the rows of a store look like: enough to know another store's by. */
interface RowShape {
  readonly isKey: (key: Uint8Array) => boolean;
  /** Dearer; asked for some rows only. */
  readonly isRow: (key: Uint8Array, value: Uint8Array) => boolean;
}

const ADDRESS = 21;
const ID = 32;
const NUMBER = 8;

/** Rows that carry their key. */
const owned =
  <T>(message: { decode(bytes: Uint8Array): T }, keyOf: (row: T) => Uint8Array): RowShape['isRow'] =>
  (key, value) =>
    equalBytes(keyOf(message.decode(value)), key);

const keys = (...lengths: readonly number[]): RowShape['isKey'] => {
  const allowed = new Set(lengths);
  return (key) => allowed.has(key.length);
};
const any = (): boolean => true;
const valueBytes =
  (length: number): RowShape['isRow'] =>
  (_key, value) =>
    value.length === length;

/** Names are texts. */
const isText = (key: Uint8Array): boolean => key.every((byte) => byte >= 0x20 && byte < 0x7f);

const shapes: Readonly<Record<string, RowShape>> = {
  account: { isKey: keys(ADDRESS), isRow: owned(Account, ({ address }) => address) },
  'account-asset': { isKey: ({ length }) => length > ADDRESS && length <= ADDRESS + 19, isRow: valueBytes(NUMBER) },
  'account-index': { isKey: any, isRow: valueBytes(ADDRESS) },
  'accountid-index': { isKey: any, isRow: valueBytes(ADDRESS) },
  'asset-issue': { isKey: any, isRow: owned(AssetIssueContract, ({ name }) => name) },
  'asset-issue-v2': { isKey: isText, isRow: owned(AssetIssueContract, ({ id }) => Buffer.from(id)) },
  witness: { isKey: keys(ADDRESS), isRow: owned(Witness, ({ address }) => address) },
  witness_schedule: { isKey: isText, isRow: (_key, { length }) => length % ADDRESS === 0 },
  votes: { isKey: keys(ADDRESS), isRow: owned(Votes, ({ address }) => address) },
  proposal: { isKey: keys(NUMBER), isRow: owned(Proposal, ({ proposalId }) => fromInt64(BigInt(proposalId))) },
  exchange: { isKey: keys(NUMBER), isRow: owned(Exchange, ({ exchangeId }) => fromInt64(BigInt(exchangeId))) },
  'exchange-v2': { isKey: keys(NUMBER), isRow: owned(Exchange, ({ exchangeId }) => fromInt64(BigInt(exchangeId))) },
  market_account: { isKey: keys(ADDRESS), isRow: owned(MarketAccountOrder, ({ ownerAddress }) => ownerAddress) },
  market_order: { isKey: keys(ID), isRow: owned(MarketOrder, ({ orderId }) => orderId) },
  market_pair_price_to_order: { isKey: keys(54), isRow: any },
  market_pair_to_price: { isKey: keys(38), isRow: valueBytes(NUMBER) },
  DelegatedResource: { isKey: keys(2 * ADDRESS, 2 * ADDRESS + 1), isRow: any },
  DelegatedResourceAccountIndex: { isKey: keys(ADDRESS, 2 * ADDRESS + 1), isRow: any },
  delegation: { isKey: (key) => key.length === ADDRESS || isText(key), isRow: any },
  properties: { isKey: isText, isRow: any },
  IncrementalMerkleTree: { isKey: (key) => key.length === ID || isText(key), isRow: any },
  nullifier: { isKey: keys(ID), isRow: valueBytes(ID) },
  abi: { isKey: keys(ADDRESS), isRow: any },
  code: { isKey: keys(ADDRESS), isRow: any },
  contract: { isKey: keys(ADDRESS), isRow: owned(SmartContract, ({ contractAddress }) => contractAddress) },
  'contract-state': { isKey: keys(ADDRESS), isRow: (_key, { length }) => length <= 33 },
  'storage-row': { isKey: keys(ID), isRow: valueBytes(ID) },
  'account-trace': { isKey: keys(ADDRESS + NUMBER), isRow: any },
  'balance-trace': { isKey: keys(NUMBER), isRow: any },
  block: { isKey: keys(ID), isRow: any },
  'block-index': { isKey: keys(NUMBER), isRow: valueBytes(ID) },
  transactionRetStore: { isKey: keys(NUMBER), isRow: any },
  'recent-block': { isKey: keys(2), isRow: valueBytes(NUMBER) },
  'recent-transaction': { isKey: keys(2), isRow: (_key, value) => value[0] === 0x7b },
};

/** Of the rows of tables, every this many'th is looked into. */
const SAMPLE = 1024;
const FIRST = 64;

/** Looks whether rows are those of a store: all keys, some values. */
export class ShapeCheck {
  private readonly shape: RowShape | undefined;
  private rows = 0;

  constructor(store: string) {
    this.shape = shapes[store];
  }

  /** @param isLogged all rows of logs are looked into, which are few */
  isRow(key: Uint8Array, value: Uint8Array, isLogged: boolean): boolean {
    const { shape } = this;
    if (shape === undefined) return true;
    if (!shape.isKey(key)) return false;
    const at = this.rows++;
    if (!isLogged && at >= FIRST && at % SAMPLE !== 0) return true;
    try {
      return shape.isRow(key, value);
    } catch {
      return false;
    }
  }
}
