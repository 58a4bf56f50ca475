import { keccak256 } from '../../../crypto/hash.js';
import type { Address } from '../../../primitives/address.js';
import { EMPTY_BYTES, fromHex } from '../../../primitives/bytes.js';
import type { RowsAt } from '../../../state-transition/state/state.js';
import { storageRowKeys } from '../../../state-transition/state/storage-key.js';
import { data, ZERO_HASH } from '../quantities.js';
import type { TraceLimits } from './trace-limits.js';
import type { Effects } from './tracer.js';

/** An account at one point, as far as a trace shows it. */
export interface AccountPicture {
  readonly exists: boolean;
  /** SUN. */
  readonly balance: bigint;
  /** Hex behind 0x; `0x` where there is none, or none is asked for. */
  readonly code: string;
  /** That of no bytes where there is no code. */
  readonly codeHash: string;
  /** Words of the slots that were asked for, 32 bytes each in hex behind 0x. */
  readonly storage: ReadonlyMap<string, string>;
}

interface PictureOptions {
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  readonly limits: TraceLimits;
}

const NO_CODE = data(keccak256(EMPTY_BYTES));
const EMPTY = '0x';

/** Accounts before and after a traced run. */
export class AccountReader {
  private readonly effects: Effects;
  private readonly options: PictureOptions;
  private readonly old: RowsAt;
  private readonly now: RowsAt = { get: (table, key) => table.get(key) };

  constructor(effects: Effects, options: PictureOptions) {
    this.effects = effects;
    this.options = options;
    this.old = effects.state.rowsAt(effects.before);
  }

  before(address: Address, slots: Iterable<bigint>): AccountPicture {
    return this.read(this.old, address, slots);
  }

  after(address: Address, slots: Iterable<bigint>): AccountPicture {
    return this.read(this.now, address, slots);
  }

  private read(rows: RowsAt, address: Address, slots: Iterable<bigint>): AccountPicture {
    const { effects, options } = this;
    const { accounts, code: codes, contracts, storage } = effects.state;
    const account = rows.get(accounts, address);
    const code = rows.get(codes, address) ?? EMPTY_BYTES;
    const contract = rows.get(contracts, address);
    const words = new Map<string, string>();
    if (!options.disableStorage) {
      for (const slot of [...slots].sort((a, b) => (a < b ? -1 : 1))) {
        const key = slot.toString(16).padStart(64, '0');
        const places = storageRowKeys(effects.state, address, contract, fromHex(key));
        const word = places.map((place) => rows.get(storage, place)).find((found) => found !== undefined);
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

/** Whether there is something at an address but zeros. */
export function hasContent({ balance, codeHash }: AccountPicture): boolean {
  return balance !== 0n || codeHash !== NO_CODE;
}

/** In geth's form. What is empty is left out, but for the balance and for slots that hold zero. */
export function printAccount({ balance, code, codeHash, storage }: AccountPicture): object {
  return {
    balance: `0x${balance.toString(16)}`,
    ...(code !== EMPTY && { code }),
    ...(codeHash !== NO_CODE && { codeHash }),
    ...(storage.size > 0 && { storage: Object.fromEntries(storage) }),
  };
}
