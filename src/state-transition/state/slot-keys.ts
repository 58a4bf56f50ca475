// biome-ignore-all lint/style/noNonNullAssertion: places are masked to the size of the arrays, and a slot has eight words
import { randomInt } from 'node:crypto';
import { rowKey } from './storage-key.js';

/** Places for keys, each of the last slot that fell there: with keys of some 100 bytes 200 KB. */
const PLACES = 1024;
/**
 * Slots chosen to share a place must not: the mix starts from a number that nobody outside knows. It never shows in a
 * result.
 */
const SEED = randomInt(2 ** 31);

/**
 * Keys of storage rows that were worked out lately. Transactions come back to the same slots (a total, the balance of
 * an exchange), and hashing one and writing its digits takes longer than finding them here.
 */
export class SlotKeys {
  private readonly slots = new Int32Array(8 * PLACES);
  private readonly hashes: (string | undefined)[] = new Array(PLACES).fill(undefined);
  private readonly forms = new Int32Array(PLACES);
  private readonly keys: string[] = new Array(PLACES).fill('');
  private readonly slot = new Uint8Array(32);

  /**
   * Key of a row, in hex. The slot is 8 limbs of 32 bits at `at`, the lowest first.
   * @param hash of the contract, see `storageHashOf` @param form of the row, see `rowKey`
   */
  keyOf(hash: string, form: number, words: Int32Array, at: number): string {
    // Contracts number their slots alike: digits of the hash keep them apart.
    let mix = SEED ^ ((hash.charCodeAt(0) << 16) | (hash.charCodeAt(1) << 8) | hash.charCodeAt(2));
    for (let i = 0; i < 8; i++) mix = Math.imul((mix ^ words[at + i]!) + (mix >>> 15), 0x85ebca6b);
    const place = (mix ^ (mix >>> 16)) & (PLACES - 1);
    const { slots } = this;
    const own = 8 * place;
    let differs = this.hashes[place] === hash && this.forms[place] === form ? 0 : 1;
    for (let i = 0; i < 8; i++) differs |= slots[own + i]! ^ words[at + i]!;
    if (differs === 0) return this.keys[place]!;
    for (let i = 0; i < 8; i++) slots[own + i] = words[at + i]!;
    writeWord(this.slot, words, at);
    // One string of its own, not two that are put together at each look.
    const key = Buffer.from(rowKey(hash, form, this.slot), 'latin1').toString('latin1');
    this.hashes[place] = hash;
    this.forms[place] = form;
    this.keys[place] = key;
    return key;
  }
}

/** 32 bytes, big-endian, of 8 limbs. */
export function writeWord(bytes: Uint8Array, words: Int32Array, at: number): void {
  for (let i = 0; i < 8; i++) {
    const limb = words[at + 7 - i]!;
    bytes[4 * i] = limb >>> 24;
    bytes[4 * i + 1] = limb >>> 16;
    bytes[4 * i + 2] = limb >>> 8;
    bytes[4 * i + 3] = limb;
  }
}
