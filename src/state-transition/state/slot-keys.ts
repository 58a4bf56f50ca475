// biome-ignore-all lint/style/noNonNullAssertion: indexes are masked to the size of the arrays, and a slot has eight
// words
import { randomInt } from 'node:crypto';
import { rowKey } from './storage-key.js';

/** Number of cached keys. A key takes about 100 bytes, so the cache takes about 100 KB. */
const PLACES = 1024;
/**
 * Random start value of the hash. With a fixed value, an attacker could choose slots with equal hashes. Results do not
 * depend on this value.
 */
const SEED = randomInt(2 ** 31);

/**
 * Cache of recently used storage row keys. Transactions often use the same slots, such as a total supply or the
 * balance of an exchange. A cache lookup takes less time than hashing a slot and formatting the digits.
 */
export class SlotKeys {
  private readonly slots = new Int32Array(8 * PLACES);
  private readonly hashes: (string | undefined)[] = new Array(PLACES).fill(undefined);
  private readonly forms = new Int32Array(PLACES);
  private readonly keys: string[] = new Array(PLACES).fill('');
  private readonly slot = new Uint8Array(32);

  /**
   * Returns the key of a storage row in hex. The slot is in `words` from index `at` on: 8 limbs of 32 bits, least
   * significant limb first.
   * @param hash hash of the contract, see `storageHashOf`
   * @param form version of the contract, or `OWN_ROW`, see `rowKey`
   */
  keyOf(hash: string, form: number, words: Int32Array, at: number): string {
    // Different contracts use the same slot numbers, so the cache index also depends on the contract hash.
    let mix = SEED ^ ((hash.charCodeAt(0) << 16) | (hash.charCodeAt(1) << 8) | hash.charCodeAt(2));
    for (let i = 0; i < 8; i++) mix = Math.imul((mix ^ words[at + i]!) + (mix >>> 15), 0x85ebca6b);
    const cacheIndex = (mix ^ (mix >>> 16)) & (PLACES - 1);
    const { slots } = this;
    const own = 8 * cacheIndex;
    let differs = this.hashes[cacheIndex] === hash && this.forms[cacheIndex] === form ? 0 : 1;
    for (let i = 0; i < 8; i++) differs |= slots[own + i]! ^ words[at + i]!;
    if (differs === 0) return this.keys[cacheIndex]!;
    for (let i = 0; i < 8; i++) slots[own + i] = words[at + i]!;
    writeWord(this.slot, words, at);
    // Converts the key to a flat string. V8 stores a concatenated string as a tree, and must flatten it before it can
    // be a map key.
    const key = Buffer.from(rowKey(hash, form, this.slot), 'latin1').toString('latin1');
    this.hashes[cacheIndex] = hash;
    this.forms[cacheIndex] = form;
    this.keys[cacheIndex] = key;
    return key;
  }
}

/** Writes a word of 8 limbs as 32 big-endian bytes. */
export function writeWord(bytes: Uint8Array, words: Int32Array, at: number): void {
  for (let i = 0; i < 8; i++) {
    const limb = words[at + 7 - i]!;
    bytes[4 * i] = limb >>> 24;
    bytes[4 * i + 1] = limb >>> 16;
    bytes[4 * i + 2] = limb >>> 8;
    bytes[4 * i + 3] = limb;
  }
}
