import { Account } from '../codec/generated/messages.js';
import { ADDRESS_BYTES } from '../primitives/address.js';
import { present } from '../primitives/assert.js';
import { fromInt64, toInt64 } from '../primitives/bytes.js';
import type { Checkpoint } from './data-folder.js';
import { JavaDataError } from './java-data-error.js';
import { type LoggedRow, NEWEST } from './tables/write-batch.js';

/**
 * Property that is 1 if TRC10 balances are stored outside of the account row.
 * Reference: DynamicPropertiesStore.getAllowAccountAssetOptimizationFromRoot.
 */
const OPTIMISES_ASSETS = 'ALLOW_ASSET_OPTIMIZATION';
const HEAD_NUMBER = 'latest_block_header_number';

/** New rows of one store, from the checkpoints. Keys are in latin1. An undefined value represents a deleted row. */
type Overlay = Map<string, Buffer | undefined>;

/**
 * Applies the checkpoints of a folder to its stores. In java-tron, the account row in a checkpoint also contains the
 * account's TRC10 balances. When java-tron writes the row to the store, it moves the balances to separate rows. This
 * class does the same. Reference: SnapshotRoot.processAccount.
 */
export class CheckpointOverlay {
  private readonly stores = new Map<string, Overlay>();
  /** Accounts (latin1) whose balance rows in the store are obsolete. */
  private readonly emptied = new Set<string>();
  /** Accounts (latin1) for which the checkpoints contain rows of `account-asset`. */
  private readonly owners = new Set<string>();
  private readonly property: (name: string) => Uint8Array | undefined;

  /**
   * Reads the checkpoints.
   * @param property returns the value of a property in the store, without the checkpoints
   * @throws {JavaDataError} a checkpoint is damaged, or older than the stores
   */
  constructor(checkpoints: readonly Checkpoint[], property: (name: string) => Uint8Array | undefined) {
    this.property = property;
    for (const checkpoint of checkpoints) this.apply(checkpoint);
    const [before, now] = [property(HEAD_NUMBER), this.propertyNow(HEAD_NUMBER)];
    if (before !== undefined && now !== undefined && toInt64(now) < toInt64(before)) {
      throw new JavaDataError(
        present(checkpoints.at(-1), 'only a checkpoint changes the head').path,
        'the checkpoint is older than the stores, so the newest checkpoint is missing; copy the folder again while java-tron is stopped',
      );
    }
  }

  /** Returns the checkpoints' rows of a store, in no particular order. They are newer than all rows in the store. */
  rows(store: string): LoggedRow[] {
    return [...(this.stores.get(store) ?? [])].map(([key, value]) => ({
      key: Buffer.from(key, 'latin1'),
      value,
      sequence: NEWEST,
    }));
  }

  /**
   * Returns true if a row of the store `account-asset` is obsolete, because the checkpoints replace all rows of its
   * account.
   */
  isEmptied(key: Buffer): boolean {
    return this.emptied.size > 0 && this.emptied.has(key.toString('latin1', 0, ADDRESS_BYTES));
  }

  /**
   * Returns true if the checkpoints contain all of these rows. No row is then lost if the store lacks these rows, for
   * example because the end of its log is truncated.
   */
  covers(store: string, rows: readonly LoggedRow[]): boolean {
    const overlay = this.stores.get(store);
    if (overlay === undefined || rows.length === 0) return false;
    return rows.every(({ key, value }) => {
      const text = key.toString('latin1');
      if (store === 'account-asset' && this.isEmptied(key) && value === undefined) return true;
      const newer = overlay.get(text);
      return overlay.has(text) && (newer === undefined ? value === undefined : value?.equals(newer) === true);
    });
  }

  /** Returns the value of a property with all checkpoints applied; undefined if the property does not exist. */
  propertyNow(name: string): Uint8Array | undefined {
    const overlay = this.stores.get('properties');
    return overlay?.has(name) ? overlay.get(name) : this.property(name);
  }

  private apply({ path, rows }: Checkpoint): void {
    const accounts: [Buffer, Buffer | undefined][] = [];
    for (const { store, key, value } of rows()) {
      if (store === 'account') accounts.push([key, value]);
      else this.of(store).set(key.toString('latin1'), value);
    }
    const isOptimised = toInt64(this.propertyNow(OPTIMISES_ASSETS) ?? new Uint8Array(0)) === 1n;
    for (const [key, value] of accounts) {
      if (isOptimised) this.splitAccount(key, value, path);
      else this.of('account').set(key.toString('latin1'), value);
    }
  }

  private splitAccount(key: Buffer, value: Buffer | undefined, path: string): void {
    const text = key.toString('latin1');
    if (value === undefined || value.length === 0) {
      this.of('account').set(text, undefined);
      this.empty(text);
      return;
    }
    const account = decodeAccount(value, path);
    if (!account.assetOptimized) this.empty(text);
    account.assetOptimized = true;
    const assets = this.of('account-asset');
    if (account.assetV2.size > 0) this.owners.add(Buffer.from(account.address).toString('latin1'));
    for (const [token, amount] of account.assetV2) {
      const row = Buffer.concat([account.address, Buffer.from(token)]).toString('latin1');
      assets.set(row, amount === 0n ? undefined : Buffer.from(fromInt64(amount)));
    }
    account.asset.clear();
    account.assetV2.clear();
    this.of('account').set(text, Buffer.from(Account.encode(account)));
  }

  private empty(address: string): void {
    this.emptied.add(address);
    if (!this.owners.delete(address)) return;
    const assets = this.of('account-asset');
    for (const row of assets.keys()) if (row.startsWith(address)) assets.delete(row);
  }

  private of(store: string): Overlay {
    let overlay = this.stores.get(store);
    if (overlay === undefined) {
      overlay = new Map();
      this.stores.set(store, overlay);
    }
    return overlay;
  }
}

function decodeAccount(value: Buffer, path: string): Account {
  try {
    return Account.decode(value);
  } catch (cause) {
    throw new JavaDataError(path, 'the checkpoint contains a malformed account', { cause });
  }
}
