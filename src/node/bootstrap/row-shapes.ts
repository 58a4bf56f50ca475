import {
  Account,
  AssetIssueContract,
  Block,
  BlockBalanceTrace,
  ContractState,
  DelegatedResource,
  DelegatedResourceAccountIndex,
  Exchange,
  IncrementalMerkleTree,
  MarketAccountOrder,
  MarketOrder,
  Proposal,
  SmartContract,
  SmartContractABI,
  TransactionRet,
  Votes,
  Witness,
} from '../../codec/generated/messages.js';
import { concatBytes, equalBytes, fromInt64, toUtf8, utf8 } from '../../primitives/bytes.js';

/** Format of the rows of a store. It is precise enough to detect rows that belong to a different store. */
interface RowShape {
  readonly isKey: (key: Uint8Array) => boolean;
  /**
   * Returns true if the decoded value can belong to this store. Called for a sample of the rows, because decoding is
   * more expensive than `isKey`.
   */
  readonly isRow: (key: Uint8Array, value: Uint8Array) => boolean;
  /**
   * Returns true if a row looks like a row of a different store. The check of the store fails if this is true for all
   * decoded rows. Set only for stores whose values may be any bytes.
   */
  readonly isForeign?: (key: Uint8Array, value: Uint8Array) => boolean;
  /** Key of a row that exists in this store on every chain. */
  readonly holds?: string;
}

const ADDRESS = 21;
const ID = 32;
const NUMBER = 8;
/**
 * Length in bytes of a storage key since proposal 99. Since then, each storage slot of a contract is a separate row.
 */
const OWN_SLOT = 48;

/** Decoder of the generated codec. */
interface Codec<T> {
  decode(bytes: Uint8Array): T;
}

/** Creates an `isRow` for stores whose value contains the row's key. */
const owned =
  <T>(message: Codec<T>, keyOf: (row: T) => Uint8Array, isRow: (row: T) => boolean = anyBytes): RowShape['isRow'] =>
  (key, value) => {
    const row = message.decode(value);
    return equalBytes(keyOf(row), key) && isRow(row);
  };

const keys = (...lengths: readonly number[]): RowShape['isKey'] => {
  const allowed = new Set(lengths);
  return (key) => allowed.has(key.length);
};
const anyBytes = (): boolean => true;
const valueBytes =
  (length: number): RowShape['isRow'] =>
  (_key, value) =>
    value.length === length;

/** Returns true for printable ASCII. */
const isText = (key: Uint8Array): boolean => key.every((byte) => byte >= 0x20 && byte < 0x7f);

/**
 * Returns true if a message has no unknown fields. java-tron builds rows of these stores field by field, so the rows
 * have no unknown fields.
 */
const isExact = ({ $unknown }: { readonly $unknown: Uint8Array | undefined }): boolean => $unknown === undefined;

const exactly =
  <T extends { readonly $unknown: Uint8Array | undefined }>(message: Codec<T>): RowShape['isRow'] =>
  (_key, value) =>
    isExact(message.decode(value));

const isNumber = (text: Uint8Array): boolean => text.every((byte) => byte >= 0x30 && byte <= 0x39);
/** Returns true for `_`, which means TRX, or for a token id: a decimal number of at least 7 digits. */
const isTokenId = (token: Uint8Array): boolean =>
  equalBytes(token, utf8('_')) || (token.length >= 7 && isNumber(token));
const hasTokenIds = ({ firstTokenId, secondTokenId }: Exchange): boolean =>
  isTokenId(firstTokenId) && isTokenId(secondTokenId);
const exchangeKey = ({ exchangeId }: Exchange): Uint8Array => fromInt64(BigInt(exchangeId));

/**
 * Returns true for an account id. The letters of an account id are lower case, and may include the Turkish dotless i,
 * which is not ASCII. The empty key is also valid, because java-tron stores the genesis accounts, which have no id,
 * under it. Reference: TransactionUtil.validAccountId
 */
const isAccountId = (key: Uint8Array): boolean =>
  key.length === 0 ||
  (key.length >= 8 &&
    key.length <= 64 &&
    key.every((byte) => byte > 0x20 && byte !== 0x7f && !(byte > 0x40 && byte < 0x5b)));

/** Keys of reward rows that are not a plain address. Reference: DelegationStore. */
const REWARD = /^(end-[0-9a-f]{42}|-?\d+-[0-9a-f]{42}-(vote|reward|account-vote|brokerage|vi))$/;
const isReward = (key: Uint8Array): boolean => key.length === ADDRESS || (isText(key) && REWARD.test(toUtf8(key)));

/** Returns true for a trie node: an RLP list of the right length, or the RLP of an empty text. */
function isTrieNode(_key: Uint8Array, value: Uint8Array): boolean {
  const [first = 0] = value;
  if (first < 0xc0) return value.length === 1 && first === 0x80;
  if (first <= 0xf7) return value.length === 1 + first - 0xc0;
  const bytes = first - 0xf7;
  const length = value.subarray(1, 1 + bytes).reduce((sum, byte) => sum * 256 + byte, 0);
  return value.length === 1 + bytes + length;
}

/**
 * Returns true for a row that belongs to a store other than `code`: an account (the value contains the key, which is
 * the address), a contract ABI, or a contract state.
 */
function isNoCode(key: Uint8Array, value: Uint8Array): boolean {
  return (
    Buffer.from(value).includes(Buffer.from(key)) ||
    isDecoded(() => exactly(SmartContractABI)(key, value)) ||
    isDecoded(() => exactly(ContractState)(key, value))
  );
}

function isDecoded(read: () => boolean): boolean {
  try {
    return read();
  } catch {
    return false;
  }
}

/** Returns true for a Merkle tree of shielded transactions. A missing hash is empty. */
const isTree: RowShape['isRow'] = (_key, value) => {
  const tree = IncrementalMerkleTree.decode(value);
  const hashes = [tree.left, tree.right, ...tree.parents].filter((hash) => hash !== undefined);
  return isExact(tree) && hashes.every((hash) => isExact(hash) && [0, ID].includes(hash.content.length));
};

/**
 * Returns true for an index row of delegations. The value of the row lists the accounts that delegate to an account,
 * and the accounts that receive from it. Reference: DelegatedResourceAccountIndexStore.
 */
const isIndexRow: RowShape['isRow'] = (key, value) => {
  const row = DelegatedResourceAccountIndex.decode(value);
  const lists = [...row.fromAccounts, ...row.toAccounts];
  return (
    equalBytes(row.account, key.subarray(-ADDRESS)) && isExact(row) && lists.every(({ length }) => length === ADDRESS)
  );
};

const shapes: Readonly<Record<string, RowShape>> = {
  account: { isKey: keys(ADDRESS), isRow: owned(Account, ({ address }) => address) },
  'account-asset': {
    isKey: ({ length }) => length > ADDRESS && length <= ADDRESS + 19,
    isRow: (key, { length }) => length === NUMBER && isNumber(key.subarray(ADDRESS)),
  },
  'account-index': { isKey: anyBytes, isRow: valueBytes(ADDRESS), holds: 'Blackhole' },
  'accountid-index': { isKey: isAccountId, isRow: valueBytes(ADDRESS) },
  'asset-issue': {
    isKey: anyBytes,
    isRow: owned(AssetIssueContract, ({ name }) => name),
    isForeign: (key, value) => !exactly(AssetIssueContract)(key, value),
  },
  'asset-issue-v2': { isKey: isText, isRow: owned(AssetIssueContract, ({ id }) => Buffer.from(id)) },
  witness: { isKey: keys(ADDRESS), isRow: owned(Witness, ({ address }) => address, isExact) },
  witness_schedule: { isKey: isText, isRow: (_key, { length }) => length % ADDRESS === 0, holds: 'active_witnesses' },
  votes: {
    isKey: keys(ADDRESS),
    isRow: owned(
      Votes,
      ({ address }) => address,
      (row) => isExact(row) && [...row.oldVotes, ...row.newVotes].every(isExact),
    ),
  },
  proposal: { isKey: keys(NUMBER), isRow: owned(Proposal, ({ proposalId }) => fromInt64(BigInt(proposalId)), isExact) },
  exchange: {
    isKey: keys(NUMBER),
    isRow: owned(Exchange, exchangeKey, isExact),
    isForeign: (_key, value) => hasTokenIds(Exchange.decode(value)),
  },
  'exchange-v2': {
    isKey: keys(NUMBER),
    isRow: owned(Exchange, exchangeKey, (row) => isExact(row) && hasTokenIds(row)),
  },
  market_account: {
    isKey: keys(ADDRESS),
    isRow: owned(
      MarketAccountOrder,
      ({ ownerAddress }) => ownerAddress,
      (row) => isExact(row) && row.orders.every(({ length }) => length === ID),
    ),
  },
  market_order: { isKey: keys(ID), isRow: owned(MarketOrder, ({ orderId }) => orderId) },
  market_pair_price_to_order: { isKey: keys(54), isRow: anyBytes },
  market_pair_to_price: { isKey: keys(38), isRow: valueBytes(NUMBER) },
  DelegatedResource: {
    isKey: keys(2 * ADDRESS, 2 * ADDRESS + 1),
    isRow: (key, value) => {
      const { from, to } = DelegatedResource.decode(value);
      return equalBytes(concatBytes(from, to), key.subarray(-2 * ADDRESS));
    },
  },
  DelegatedResourceAccountIndex: { isKey: keys(ADDRESS, 2 * ADDRESS + 1), isRow: isIndexRow },
  delegation: { isKey: isReward, isRow: (key, { length }) => key.length !== ADDRESS || length === NUMBER },
  properties: {
    isKey: (key) => isText(key) && !REWARD.test(toUtf8(key)),
    isRow: anyBytes,
    holds: 'latest_block_header_number',
  },
  IncrementalMerkleTree: {
    isKey: (key) => key.length === ID || isText(key),
    isRow: isTree,
  },
  nullifier: { isKey: keys(ID), isRow: equalBytes },
  accountTrie: { isKey: keys(ID), isRow: isTrieNode },
  abi: {
    isKey: keys(ADDRESS),
    // A user signed this value, so it may have fields that are not in the protobuf schema.
    isRow: (_key, value) => SmartContractABI.decode(value) !== undefined,
    isForeign: (key, value) => !exactly(SmartContractABI)(key, value),
  },
  code: { isKey: keys(ADDRESS), isRow: anyBytes, isForeign: isNoCode },
  contract: { isKey: keys(ADDRESS), isRow: owned(SmartContract, ({ contractAddress }) => contractAddress) },
  'contract-state': { isKey: keys(ADDRESS), isRow: exactly(ContractState) },
  'storage-row': { isKey: keys(ID, OWN_SLOT), isRow: valueBytes(ID), isForeign: equalBytes },
  'account-trace': { isKey: keys(ADDRESS + NUMBER), isRow: anyBytes },
  'balance-trace': {
    isKey: keys(NUMBER),
    isRow: owned(BlockBalanceTrace, ({ blockIdentifier }) => fromInt64(BigInt(blockIdentifier?.number ?? 0))),
  },
  block: {
    isKey: keys(ID),
    isRow: (key, value) =>
      equalBytes(fromInt64(BigInt(Block.decode(value).blockHeader?.rawData?.number ?? 0)), key.subarray(0, NUMBER)),
  },
  'block-index': { isKey: keys(NUMBER), isRow: valueBytes(ID) },
  transactionRetStore: {
    isKey: keys(NUMBER),
    isRow: owned(TransactionRet, ({ blockNumber }) => fromInt64(BigInt(blockNumber)), isExact),
  },
  'recent-block': { isKey: keys(2), isRow: valueBytes(NUMBER) },
  'recent-transaction': { isKey: keys(2), isRow: (_key, value) => value[0] === 0x7b },
};

/** Sampling interval: one in 1,024 values of a table file is decoded. */
const SAMPLE = 1024;
/** Number of rows at the start of a store whose values are all decoded. */
const FIRST = 64;

/** Checks that rows belong to a store: all keys, and a sample of the values. */
export class ShapeCheck {
  private readonly shape: RowShape | undefined;
  private readonly requiredKey: Uint8Array | undefined;
  private rows = 0;
  private readonly tables = new ForeignSample();
  private readonly logs = new ForeignSample();
  private hasRequiredKey: boolean;

  constructor(store: string) {
    this.shape = shapes[store];
    this.requiredKey = this.shape?.holds === undefined ? undefined : utf8(this.shape.holds);
    this.hasRequiredKey = this.requiredKey === undefined;
  }

  /**
   * Returns true if a row can belong to this store. Checks the key. Also checks the value if it is in the sample.
   * @param isLogged true for a row of a write-ahead log; the values of all these rows are decoded, because there are
   * few
   */
  isRow(key: Uint8Array, value: Uint8Array, isLogged: boolean): boolean {
    const { shape } = this;
    if (shape === undefined) return true;
    if (!shape.isKey(key)) return false;
    if (!this.hasRequiredKey && this.requiredKey !== undefined) this.hasRequiredKey = equalBytes(key, this.requiredKey);
    const at = this.rows++;
    if (!isLogged && at >= FIRST && at % SAMPLE !== 0) return true;
    const isForeign = isDecoded(() => shape.isForeign?.(key, value) === true);
    (isLogged ? this.logs : this.tables).add(isForeign);
    return isDecoded(() => shape.isRow(key, value));
  }

  /** Returns true if the checked rows together can be the rows of this store. Must be called after the last row. */
  isStore(): boolean {
    return this.hasRequiredKey && !this.tables.areForeign && !this.logs.areForeign;
  }
}

/** Counts the decoded rows, and the rows among them that look like rows of a different store. */
class ForeignSample {
  private rows = 0;
  private foreign = 0;

  add(isForeign: boolean): void {
    this.rows++;
    if (isForeign) this.foreign++;
  }

  get areForeign(): boolean {
    return this.rows > 0 && this.foreign === this.rows;
  }
}
