import { viewOfLedger } from '../../../src/api/context/ledger-view.js';
import { account } from '../../../src/api/operations/accounts.js';
import type { Chain } from '../../../src/chain/chain.js';
import { Account } from '../../../src/codec/generated/messages.js';
import { bucketsAfterPutAll, javaHashOfText } from '../../../src/java-compat/hash-map.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Rows } from '../../conformance/compare-rows.js';
import type { JavaNode } from './java-node.js';

/**
 * All accounts are compared after every 25th block. After other blocks, only accounts that the last blocks wrote are
 * compared.
 */
const TURN = 25;
const BLOCKS_REMEMBERED = 3;
const ADDRESS_DIGITS = 42;
/** Number of buckets of a `java.util.HashMap` that was created empty. */
const BUCKETS = 16;

/** Compares the accounts that both nodes return to a client. Called after blocks, when no transactions are pending. */
export class ShownAccounts {
  private readonly java: JavaNode;
  private readonly chain: Chain;
  private readonly all = new Set<string>();
  /** Addresses that each of the last blocks has written. */
  private readonly recent: string[][] = [];
  private blocks = 0;
  /**
   * True if the separate store of tokens (ALLOW_ASSET_OPTIMIZATION) was disabled at the start of this chain and was
   * enabled later.
   */
  private isLate = false;
  private wasOff = false;

  constructor(java: JavaNode, chain: Chain) {
    this.java = java;
    this.chain = chain;
  }

  /**
   * Returns the first mismatch as text; undefined if all accounts are equal.
   * @param rows rows that the newest block wrote
   */
  async difference(rows: Rows): Promise<string | undefined> {
    const written = Object.keys(rows['account'] ?? {}).filter(({ length }) => length === ADDRESS_DIGITS);
    for (const address of written) this.all.add(address);
    if (this.recent.unshift(written) > BLOCKS_REMEMBERED) this.recent.pop();
    const accounts = [...(++this.blocks % TURN === 0 ? this.all : new Set(this.recent.flat()))];
    if (accounts.length === 0) return undefined;
    const theirs = await this.java.accounts(accounts);
    // In java-tron, a pending transaction opens two snapshots of the state and merges one of them. The loops open and
    // close the same number of snapshots in this node.
    for (let at = 0; at < 2; at++) this.chain.snapshots.open();
    for (let at = 0; at < 2; at++) this.chain.snapshots.close();
    this.noteSwitch();
    const ours = accounts.map((address) => this.ofOurs(address));
    const at = theirs.findIndex((each, index) => this.comparable(each) !== this.comparable(ours[index]));
    return at < 0
      ? undefined
      : `account ${accounts[at]}\n reference ${shown(theirs[at])}\n ours      ${shown(ours[at])}`;
  }

  private noteSwitch(): void {
    const isOn = this.chain.state.properties.isOn('ALLOW_ASSET_OPTIMIZATION');
    this.isLate ||= isOn && this.wasOff;
    this.wasOff ||= !isOn;
  }

  /**
   * Removes values that depend on timing in java-tron, which writes its stores to disk in separate threads. While the
   * separate store of tokens is being enabled, timing decides which accounts are converted. A converted account has a
   * flag and no token balances of 0.
   *
   * Tokens in the same bucket of a hash map are in the order of insertion: first those that were read from disk. This
   * node does not keep that order.
   */
  private comparable(encoded: string | undefined): string | undefined {
    if (encoded === undefined) return encoded;
    const found = Account.decode(Buffer.from(encoded, 'hex'));
    if (!this.isLate) {
      if (!shareBuckets([...found.assetV2.keys()])) return encoded;
      found.assetV2 = new Map([...found.assetV2].sort());
      return toHex(Account.encode(found));
    }
    found.assetOptimized = false;
    for (const [id, amount] of found.assetV2) if (amount === 0n) found.assetV2.delete(id);
    found.assetV2 = new Map([...found.assetV2].sort());
    found.freeAssetNetUsageV2 = new Map();
    return toHex(Account.encode(found));
  }

  private ofOurs(address: string): string | undefined {
    const { ledger, state } = this.chain;
    const { headNumber, solidifiedNumber } = ledger.position;
    const view = { ...viewOfLedger(ledger, state, headNumber), flushedNumber: solidifiedNumber };
    const found = account(view, Buffer.from(address, 'hex'));
    return found && toHex(Account.encode(found));
  }
}

/**
 * Returns true if two token ids are in the same bucket of the hash map of an account with few tokens. A copy of a map
 * can have fewer buckets than a new map.
 */
function shareBuckets(ids: readonly string[]): boolean {
  const mask = Math.min(BUCKETS, bucketsAfterPutAll(ids.length)) - 1;
  return new Set(ids.map((id) => javaHashOfText(id) & mask)).size < ids.length;
}

function shown(encoded: string | undefined): string {
  if (encoded === undefined) return 'none';
  const found = Account.decode(Buffer.from(encoded, 'hex'));
  const text = JSON.stringify(found, (_key, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Uint8Array) return toHex(value);
    return typeof value === 'bigint' ? `${value}` : value;
  });
  return `${text}\n  ${encoded}`;
}
