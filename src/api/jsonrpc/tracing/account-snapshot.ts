import { keccak256 } from '../../../crypto/hash.js';
import type { Address } from '../../../primitives/address.js';
import { EMPTY_BYTES, fromHex } from '../../../primitives/bytes.js';
import type { RowsAt } from '../../../state-transition/state/state.js';
import { storageRowKeys } from '../../../state-transition/state/storage-key.js';
import { data, ZERO_HASH } from '../quantities.js';
import type { TraceLimits } from './trace-limits.js';
import type { Effects } from './tracer.js';

/** Values of an account at one moment, with the fields that a trace shows. */
export interface AccountSnapshot {
  readonly exists: boolean;
  /** Balance in SUN. */
  readonly balance: bigint;
  /** Code in hex with the `0x` prefix; `0x` if the account has no code or `disableCode` is set. */
  readonly code: string;
  /** Keccak-256 of the code. For an account without code, it is the hash of the empty byte string. */
  readonly codeHash: string;
  /** Values of the requested slots, each 32 bytes in hex with the `0x` prefix. */
  readonly storage: ReadonlyMap<string, string>;
}

interface SnapshotOptions {
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  readonly limits: TraceLimits;
}

const NO_CODE = data(keccak256(EMPTY_BYTES));
const EMPTY = '0x';

/** Reads accounts before and after a traced run. */
export class AccountReader {
  private readonly effects: Effects;
  private readonly options: SnapshotOptions;
  private readonly old: RowsAt;
  private readonly now: RowsAt = { get: (table, key) => table.get(key) };

  constructor(effects: Effects, options: SnapshotOptions) {
    this.effects = effects;
    this.options = options;
    this.old = effects.state.rowsAt(effects.before);
  }

  before(address: Address, slots: Iterable<bigint>): AccountSnapshot {
    return this.read(this.old, address, slots);
  }

  after(address: Address, slots: Iterable<bigint>): AccountSnapshot {
    return this.read(this.now, address, slots);
  }

  private read(rows: RowsAt, address: Address, slots: Iterable<bigint>): AccountSnapshot {
    const { effects, options } = this;
    const { accounts, code: codes, contracts, storage } = effects.state;
    const account = rows.get(accounts, address);
    const code = rows.get(codes, address) ?? EMPTY_BYTES;
    const contract = rows.get(contracts, address);
    const words = new Map<string, string>();
    if (!options.disableStorage) {
      for (const slot of [...slots].sort((a, b) => (a < b ? -1 : 1))) {
        const key = slot.toString(16).padStart(64, '0');
        const rowKeys = storageRowKeys(effects.state, address, contract, fromHex(key));
        const stored = rowKeys.map((rowKey) => rows.get(storage, rowKey)).find((found) => found !== undefined);
        // The rows of a destroyed contract remain in the store, but no program can read them.
        const word = account === undefined ? undefined : stored;
        words.set(`0x${key}`, word === undefined ? ZERO_HASH : data(word));
      }
    }
    if (!options.disableCode) options.limits.add(2 * code.length);
    return {
      exists: account !== undefined,
      balance: account?.balance ?? 0n,
      code: options.disableCode ? EMPTY : data(code),
      codeHash: code.length === 0 ? NO_CODE : data(keccak256(code)),
      storage: words,
    };
  }
}

/** Returns true if the account has a balance or code. */
export function hasContent({ balance, codeHash }: AccountSnapshot): boolean {
  return balance !== 0n || codeHash !== NO_CODE;
}

/** Returns an account in geth's form. Omits empty members, but neither the balance nor slots with the value zero. */
export function printAccount({ balance, code, codeHash, storage }: AccountSnapshot): object {
  return {
    balance: `0x${balance.toString(16)}`,
    ...(code !== EMPTY && { code }),
    ...(codeHash !== NO_CODE && { codeHash }),
    ...(storage.size > 0 && { storage: Object.fromEntries(storage) }),
  };
}
