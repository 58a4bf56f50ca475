import t from 'tap';
import { present } from '../../../../src/primitives/assert.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import { OWN_ROW, rowKey, storageHashOf } from '../../../../src/state-transition/state/storage-key.js';
import { readWord, wordBytes } from '../../../../src/vm/machine/slot-table.js';
import { PRESENT, StorageCache } from '../../../../src/vm/machine/storage-cache.js';
import { Seeded } from '../../../support/vm/random-program.js';
import { contractAt, worldWith } from '../../../support/vm/vm-world.js';

const SELF = contractAt(0);
/** Nine slots with three different low halves. Three slots with the same low half can share a row. */
const SLOTS = [1n, 2n, 3n].flatMap((low) => [0n, 1n, 2n].map((high) => low | (high << 200n)));
const STEPS = 60;
const RUNS = 400;

const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const sharedKey = (slot: bigint) => rowKey(storageHashOf(SELF, undefined), 0, word(slot));
const ownKey = (slot: bigint) => rowKey(storageHashOf(SELF, undefined), OWN_ROW, word(slot));

type Rows = Map<string, bigint>;

/**
 * Model of java-tron's rules. Each call has a complete copy of it: values, written slots, the source row of each read,
 * and the first slot of each shared row. Reference: Storage of java-tron 4.8.2.3.
 */
class Model {
  readonly values = new Map<bigint, bigint>();
  readonly written = new Set<bigint>();
  readonly sources = new Map<bigint, 'own' | 'shared' | 'none'>();
  readonly first = new Map<string, bigint>();

  copy(): Model {
    const copy = new Model();
    for (const [slot, value] of this.values) copy.values.set(slot, value);
    for (const slot of this.written) copy.written.add(slot);
    for (const [slot, source] of this.sources) copy.sources.set(slot, source);
    for (const [key, slot] of this.first) copy.first.set(key, slot);
    return copy;
  }

  /** Records that a slot uses its shared row. @returns false if another slot has used the row before */
  enter(slot: bigint): boolean {
    const key = sharedKey(slot);
    if (!this.first.has(key)) this.first.set(key, slot);
    return this.first.get(key) === slot;
  }

  read(rows: Rows, slot: bigint): bigint | undefined {
    const known = this.values.get(slot);
    if (known !== undefined) return known;
    const source = this.sources.get(slot);
    if (source === 'own' || source === 'none') return undefined;
    const own = rows.get(ownKey(slot));
    if (own !== undefined) {
      this.sources.set(slot, 'own');
      return own === 0n ? undefined : this.keep(slot, own);
    }
    if ((this.first.get(sharedKey(slot)) ?? slot) !== slot) return undefined;
    const shared = rows.get(sharedKey(slot));
    this.sources.set(slot, shared === undefined ? 'none' : 'shared');
    return shared === undefined ? undefined : this.keep(slot, shared);
  }

  readGuarded(rows: Rows, slot: bigint): bigint | undefined {
    return this.values.get(slot) ?? rows.get(sharedKey(slot));
  }

  write(slot: bigint, value: bigint): void {
    this.values.set(slot, value);
    this.written.add(slot);
  }

  commitOwn(rows: Rows): void {
    for (const [slot, value] of this.values) {
      const source = this.sources.get(slot);
      if (!this.written.has(slot) && source !== 'shared') continue;
      rows.set(ownKey(slot), value);
      if (source === undefined || source === 'shared') rows.delete(sharedKey(slot));
    }
  }

  commitGuarded(rows: Rows): void {
    for (const slot of this.written) {
      const value = present(this.values.get(slot), 'the slot was written');
      if (value === 0n) rows.delete(sharedKey(slot));
      else rows.set(sharedKey(slot), value);
    }
  }

  private keep(slot: bigint, value: bigint): bigint {
    this.values.set(slot, value);
    this.enter(slot);
    return value;
  }
}

/**
 * Executes a transaction of random reads, writes and calls. Some calls fail.
 * @returns the first difference between cache and model; undefined if none exists
 */
function difference(seed: number, isOwn: boolean): string | undefined {
  const random = new Seeded(seed);
  const pick = <T>(list: readonly T[]): T => present(list[random.below(list.length)], 'the index is below the length');
  const state = worldWith([new Uint8Array(1)], {
    version: 0,
    passed: VERSION.V4_8_2_3,
    properties: { ALLOW_OPTIMIZE_TVM_STORAGE: isOwn ? 1n : 0n },
  });
  const rows: Rows = new Map();
  for (const slot of SLOTS) {
    if (random.below(3) === 0) rows.set(sharedKey(slot), BigInt(1 + random.below(3)));
    if (isOwn && random.below(3) === 0) rows.set(ownKey(slot), BigInt(random.below(3)));
  }
  for (const [key, value] of rows) state.storage.put(key, word(value));
  const cache = new StorageCache(state, new VmAccounts(state), false);
  const owner = cache.owner(SELF, 0);
  const words = new Int32Array(16);
  const calls: { model: Model; mark: number }[] = [{ model: new Model(), mark: cache.mark() }];
  const find = (slot: bigint): bigint | undefined => {
    readWord(word(slot), words, 0);
    const entry = cache.find(owner, words, 0);
    if (entry < 0 || ((cache.flags[entry] ?? 0) & PRESENT) === 0) return undefined;
    return BigInt(`0x${toHex(wordBytes(cache.values, entry * 8))}`);
  };
  for (let step = 0; step < STEPS; step++) {
    const { model, mark } = present(calls.at(-1), 'the outermost call exists');
    const [slot, kind] = [pick(SLOTS), random.below(10)];
    if (kind === 0 && calls.length < 5) calls.push({ model: model.copy(), mark: cache.mark() });
    else if (kind === 1 && calls.length > 1) {
      calls.pop();
      if (random.below(2) === 0) cache.revertTo(mark, calls.length);
      else calls.push({ model, mark: present(calls.pop(), 'a call has a caller').mark });
    } else {
      const value = BigInt(random.below(3));
      const isFine = isOwn || model.enter(slot);
      let found: bigint | undefined;
      let isRefused = false;
      try {
        found = find(slot);
        if (kind > 5) {
          readWord(word(slot), words, 0);
          readWord(word(value), words, 8);
          cache.store(owner, words, 0, 8);
        }
      } catch {
        isRefused = true;
      }
      if (isRefused === isFine) return `step ${step}: ${slot} refused ${isRefused}`;
      if (isRefused) return undefined;
      const expected = isOwn ? model.read(rows, slot) : model.readGuarded(rows, slot);
      if (found !== expected) return `step ${step}: ${slot} is ${found}, not ${expected}`;
      if (kind > 5) {
        model.write(slot, value);
        if (isOwn) model.enter(slot);
      }
    }
  }
  const [outermost] = calls;
  // Calls that have not returned yet fail.
  if (calls[1] !== undefined) cache.revertTo(calls[1].mark, 1);
  cache.commit();
  const { model } = present(outermost, 'the outermost call exists');
  if (isOwn) model.commitOwn(rows);
  else model.commitGuarded(rows);
  const stored = [...state.storage.range()].map(([key, row]) => `${key}=${BigInt(`0x${toHex(row)}`)}`).sort();
  const modelled = [...rows].map(([key, value]) => `${key}=${value}`).sort();
  return stored.join() === modelled.join() ? undefined : `rows: ${stored.join(' ')} not ${modelled.join(' ')}`;
}

t.test('matches the model for random transactions over slots that share rows', async (t) => {
  for (const isOwn of [true, false]) {
    const found = Array.from({ length: RUNS }, (_, seed) => ({ seed, is: difference(seed, isOwn) }));
    t.same(
      found.filter(({ is }) => is !== undefined),
      [],
      isOwn ? 'with a row per slot' : 'with shared rows',
    );
  }
});
