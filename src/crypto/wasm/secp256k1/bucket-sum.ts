import { FIELD_BYTES, LIMB_BITS } from '../limbs.js';
import type { Curve } from './curve.js';
import { PAIR_BYTES, SECP256K1_ONE, SECP256K1_POINT_BYTES } from './layout.js';

/**
 * Maximum number of bits of a scalar. It allows the sum of a thousand scalars without a reduction modulo the group
 * order.
 */
const SCALAR_BITS = 268;
/** Minimum window size, in bits. */
const WIDTH_MIN = 4;
/** Maximum window size, in bits. */
const WIDTH_MAX = 6;
const DIGITS_MAX = windowsOf(WIDTH_MIN);
/**
 * Maximum number of points in the buckets at the same time. The data of this number of points fits into the processor
 * cache.
 */
const ENTRIES_MAX = 8192;

function windowsOf(width: number): number {
  return Math.ceil(SCALAR_BITS / width) + 1;
}

/**
 * Returns the window size in bits for a number of terms. Wider windows need fewer additions per point, but more
 * additions for the buckets.
 */
function widthFor(terms: number): number {
  return terms < 150 ? WIDTH_MIN : terms < 500 ? 5 : WIDTH_MAX;
}

/**
 * Computes sums of points times scalars with Pippenger's method. Each scalar is split into windows of signed digits.
 * For each window, the point is added to the bucket of its digit. The points of each bucket are added in pairs, in
 * several rounds. One inversion suffices for all pairs of a round. At the end, each bucket is multiplied by its digit
 * and added to the sum.
 */
export class BucketSum {
  private readonly curve: Curve;
  /** Memory address of the pairs that are added in a round. */
  private readonly pairs: number;
  /** Memory address of the sums of pairs, of all rounds. */
  private readonly sums: number;
  /** Memory address of the workspace of `addPairs`. The field element 1 is stored directly before this address. */
  private readonly products: number;
  /** Memory address of the running sum of buckets. */
  private readonly running: number;
  private readonly points: Int32Array;
  private readonly digits: Int8Array;
  private count = 0;
  private width = WIDTH_MAX;
  private entries = new Int32Array(ENTRIES_MAX);
  private nextEntries = new Int32Array(ENTRIES_MAX);
  private readonly lengths: Int32Array;

  /** Creates the workspace. @param start address of the workspace @param terms maximum number of terms */
  constructor(curve: Curve, start: number, terms: number) {
    this.curve = curve;
    this.running = start;
    this.pairs = start + 3 * FIELD_BYTES;
    this.products = this.pairs + (ENTRIES_MAX / 2) * PAIR_BYTES + FIELD_BYTES;
    this.sums = this.products + (ENTRIES_MAX / 2) * FIELD_BYTES;
    curve.write(this.products - FIELD_BYTES, 1n);
    this.points = new Int32Array(terms);
    this.digits = new Int8Array(terms * DIGITS_MAX);
    this.lengths = new Int32Array(DIGITS_MAX << (WIDTH_MAX - 1));
  }

  /** Size of the workspace, in bytes. */
  static readonly bytes =
    4 * FIELD_BYTES + (ENTRIES_MAX / 2) * (PAIR_BYTES + FIELD_BYTES) + ENTRIES_MAX * SECP256K1_POINT_BYTES;

  /** Starts a sum. @param terms number of terms */
  begin(terms: number): void {
    this.count = 0;
    this.width = widthFor(terms);
  }

  /**
   * Adds a term.
   * @param point address of x, y and −y of the point
   * @param limbs limbs of the scalar, lowest first, each below 2^29
   */
  addTerm(point: number, limbs: ArrayLike<number>, isNegative: boolean): void {
    const { width, digits } = this;
    const windows = windowsOf(width);
    const base = 1 << width;
    const sign = isNegative ? -1 : 1;
    let at = this.count * DIGITS_MAX;
    this.points[this.count++] = point;
    let rest = 0;
    let bits = 0;
    let limb = 0;
    for (let window = 0; window < windows; window++) {
      if (bits < width) {
        rest += (limbs[limb++] ?? 0) * 2 ** bits;
        bits += LIMB_BITS;
      }
      let digit = rest % base;
      rest = (rest - digit) / base;
      bits -= width;
      if (digit > base >> 1) {
        digit -= base;
        rest += 1;
      }
      digits[at++] = sign * digit;
    }
  }

  /**
   * Writes the sum as X : Y : Z.
   * @returns false if the points of a pair have the same x, which this method cannot add
   */
  sum(to: number): boolean {
    const { curve, width } = this;
    const group = Math.max(1, Math.floor(ENTRIES_MAX / Math.max(1, this.count)));
    setInfinity(curve, to);
    for (let last = windowsOf(width) - 1; last >= 0; last -= group) {
      const first = Math.max(0, last - group + 1);
      this.fill(first, last);
      if (!this.reduce((last - first + 1) << (width - 1))) return false;
      this.collect(to, last - first + 1);
    }
    return true;
  }

  /**
   * Distributes all points to the buckets of the windows `first` to `last`. Bucket d − 1 contains the points with digit
   * d or −d.
   */
  private fill(first: number, last: number): void {
    const { lengths, digits, entries, points, count, width } = this;
    const buckets = (last - first + 1) << (width - 1);
    lengths.fill(0, 0, buckets);
    for (let term = 0; term < count; term++) {
      for (let window = first; window <= last; window++) {
        const digit = Math.abs(digits[term * DIGITS_MAX + window] ?? 0);
        if (digit !== 0) addAt(lengths, ((window - first) << (width - 1)) + digit - 1, 1);
      }
    }
    const nextEntries = this.nextEntries;
    let sum = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      nextEntries[bucket] = sum;
      sum += lengths[bucket] ?? 0;
    }
    for (let term = 0; term < count; term++) {
      const point = points[term] ?? 0;
      for (let window = first; window <= last; window++) {
        const digit = digits[term * DIGITS_MAX + window] ?? 0;
        if (digit === 0) continue;
        const bucket = ((window - first) << (width - 1)) + Math.abs(digit) - 1;
        entries[addAt(nextEntries, bucket, 1)] = digit < 0 ? point + 1 : point;
      }
    }
  }

  /**
   * Sums each bucket in rounds until each bucket has at most one point.
   * @returns false if the points of a pair have the same x
   */
  private reduce(buckets: number): boolean {
    const { curve, lengths } = this;
    let sums = this.sums;
    for (;;) {
      const { entries, nextEntries } = this;
      let pair = this.pairs / 4;
      let sum = sums;
      let from = 0;
      let to = 0;
      for (let bucket = 0; bucket < buckets; bucket++) {
        const length = lengths[bucket] ?? 0;
        const end = from + length;
        for (; from + 1 < end; from += 2) {
          curve.words[pair++] = entries[from] ?? 0;
          curve.words[pair++] = entries[from + 1] ?? 0;
          nextEntries[to++] = sum;
          sum += SECP256K1_POINT_BYTES;
        }
        if (from < end) nextEntries[to++] = entries[from++] ?? 0;
        lengths[bucket] = (length + 1) >> 1;
      }
      const count = (sum - sums) / SECP256K1_POINT_BYTES;
      if (count === 0) return true;
      if (curve.run.addPairs(this.pairs, count, sums, this.products) === 0) return false;
      sums = sum;
      this.entries = nextEntries;
      this.nextEntries = entries;
    }
  }

  /** Adds the buckets of some windows, multiplied by their digits, to the result of the higher windows. */
  private collect(to: number, windows: number): void {
    const { curve, lengths, entries, running, width } = this;
    const { run } = curve;
    const size = 1 << (width - 1);
    let entry = lengths.subarray(0, windows * size).reduce((sum, length) => sum + length, 0);
    for (let window = windows - 1; window >= 0; window--) {
      for (let bit = 0; bit < width; bit++) run.addPoints(to, to, to, to + FIELD_BYTES, to + 2 * FIELD_BYTES);
      setInfinity(curve, running);
      let isEmpty = true;
      for (let bucket = (window + 1) * size - 1; bucket >= window * size; bucket--) {
        if (lengths[bucket] !== 0) {
          const point = entries[--entry] ?? 0;
          const x = point & -2;
          run.addPoints(running, running, x, x + (1 + (point & 1)) * FIELD_BYTES, SECP256K1_ONE * FIELD_BYTES);
          isEmpty = false;
        }
        if (!isEmpty) run.addPoints(to, to, running, running + FIELD_BYTES, running + 2 * FIELD_BYTES);
      }
    }
  }
}

/** Writes the point at infinity as 0 : 1 : 0. */
function setInfinity(curve: Curve, to: number): void {
  curve.write(to, 0n);
  curve.write(to + FIELD_BYTES, 1n);
  curve.write(to + 2 * FIELD_BYTES, 0n);
}

/** Adds a number to an array element. @returns the previous value of the element */
function addAt(array: Int32Array, at: number, value: number): number {
  const before = array[at] ?? 0;
  array[at] = before + value;
  return before;
}
