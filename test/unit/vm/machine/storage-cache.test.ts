import t from 'tap';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { readWord, wordBytes } from '../../../../src/vm/machine/slot-table.js';
import { PRESENT, StorageCache } from '../../../../src/vm/machine/storage-cache.js';
import { Seeded } from '../../../support/vm/random-program.js';
import { contractAt, worldWith } from '../../../support/vm/vm-world.js';

/** Accesses the slots of the first contract with keys and values as bigints. */
class Slots {
  readonly cache: StorageCache;
  private readonly owner: number;
  private readonly words = new Int32Array(16);

  constructor(state: State, isShared = false, contract = 0) {
    this.cache = new StorageCache(state, new VmAccounts(state), isShared);
    this.owner = this.cache.owner(contractAt(contract), 0);
  }

  get(slot: bigint): bigint {
    set(this.words, 0, slot);
    const entry = this.cache.find(this.owner, this.words, 0);
    return entry < 0 ? 0n : BigInt(`0x${Buffer.from(wordBytes(this.cache.values, entry * 8)).toString('hex')}`);
  }

  isPresent(slot: bigint): boolean {
    set(this.words, 0, slot);
    const entry = this.cache.find(this.owner, this.words, 0);
    return entry >= 0 && ((this.cache.flags[entry] ?? 0) & PRESENT) !== 0;
  }

  set(slot: bigint, value: bigint, depth = 0): void {
    set(this.words, 0, slot);
    set(this.words, 8, value);
    this.cache.owner(contractAt(0), depth);
    this.cache.store(this.owner, this.words, 0, 8);
  }
}

function set(words: Int32Array, at: number, value: bigint): void {
  readWord(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'), words, at);
}

t.test('finds slots among thousands', async (t) => {
  const slots = new Slots(worldWith(['00'].map(() => new Uint8Array(1))));
  const random = new Seeded(7);
  const model = new Map<bigint, bigint>();
  for (let i = 0; i < 5000; i++) {
    const slot = BigInt(random.below(2 ** 31)) << BigInt(8 * random.below(28));
    const value = BigInt(random.below(1000));
    model.set(slot, value);
    slots.set(slot, value);
  }
  t.ok([...model].every(([slot, value]) => slots.get(slot) === value));
  t.equal(slots.get(1n << 255n), 0n);
});

t.test('restores the slots of a failed call', async (t) => {
  const slots = new Slots(worldWith([new Uint8Array(1)]));
  slots.set(1n, 5n);
  const mark = slots.cache.mark();
  slots.set(1n, 6n);
  slots.set(2n, 7n);
  slots.cache.revertTo(mark, 1);
  t.same([slots.get(1n), slots.get(2n), slots.isPresent(2n)], [5n, 0n, false]);
});

// Reference: Storage before the energy limit fork. A call then shared the rows of its caller.
t.test('keeps writes of a failed call to rows of its caller before the energy limit fork', async (t) => {
  const slots = new Slots(worldWith([new Uint8Array(1)]), true);
  slots.set(1n, 5n, 0);
  const mark = slots.cache.mark();
  slots.set(1n, 6n, 1);
  slots.cache.revertTo(mark, 1);
  t.equal(slots.get(1n), 6n);
});

t.test('writes changed slots on commit, without rows for zeros, visible to the next transaction', async (t) => {
  const state = worldWith([new Uint8Array(1)]);
  const first = new Slots(state);
  first.set(1n, 5n);
  first.set(2n, 0n);
  t.ok(first.isPresent(2n), 'the slot is present until the transaction ends');
  first.cache.commit();
  first.cache.release();
  t.equal([...state.storage.range()].length, 1);
  const second = new Slots(state);
  t.same([second.get(1n), second.isPresent(2n)], [5n, false]);
  second.set(1n, 0n);
  second.cache.commit();
  t.equal([...state.storage.range()].length, 0);
});
