import { jubjub_findGroupHash } from '@noble/curves/misc.js';
import {
  JUBJUB_POINT_BYTES,
  KNOWN_SUMMAND_BYTES,
  NEGATIVE,
  SUMMAND_BYTES,
} from '../../../crypto/wasm/jubjub/points.js';
import { FIELD_BYTES } from '../../../crypto/wasm/limbs.js';
import { itemAt } from '../../../primitives/assert.js';
import { utf8 } from '../../../primitives/bytes.js';
import { curve } from './coordinates.js';

export const WINDOW_BITS = 3;
/** Number of windows in a group. The windows of a group share one table. A window is 3 bits of the input. */
export const PEDERSEN_GROUP = 4;
/** Number of consecutive windows whose points are multiples of one generator. Reference: Zcash protocol, 5.4.1.7. */
const SEGMENT_WINDOWS = 63;
/**
 * Number of doublings between the points of two neighbouring windows: a window's point is 2^4 times the previous
 * window's point.
 */
const WINDOW_DOUBLINGS = 4;
/**
 * Number of precomputed points per window: the window's point times 1, 2, 3 and 4. The two low bits of the window
 * select one of these points. If the third bit is set, the point is negated.
 */
const MULTIPLES = 4;
const SIGN = 4;
const WINDOW_VALUES = 8;
/** Number of bit combinations of the windows of a group, without the last window. */
const LOWER = WINDOW_VALUES ** (PEDERSEN_GROUP - 1);

const { run } = curve;
/** Number of groups of the longest input. */
const GROUPS_MAX = 48;
/**
 * Addresses of the group tables, 4 bytes each. A table contains precomputed points. The index in a table consists of
 * the bits of the group without the highest bit, which only negates the point. A table takes 216 KiB, and the hash of
 * a tree node uses 43 tables.
 */
const tablesOfGroups = curve.allocate(4 * GROUPS_MAX);
let tableCount = 0;
/** Addresses of tables for the windows after the last full group. Each table is for one window and has four points. */
const windowTables: number[] = [];
/** Address of the point of each window. The bits of the window select a multiple of this point. */
const units: number[] = [];

/**
 * Returns the address of the list of `count` group tables, as `chooseKnown` expects it. A table is computed on first
 * use, which takes some milliseconds.
 * @throws {RangeError} `count` exceeds the number of groups of the longest input
 */
export function groupTables(count: number): number {
  if (count > GROUPS_MAX)
    throw new RangeError(`Pedersen hash of ${count} groups of bits, the maximum is ${GROUPS_MAX}`);
  for (; tableCount < count; tableCount++)
    curve.writeAddress(tablesOfGroups + 4 * tableCount, makeGroupTable(tableCount));
  return tablesOfGroups;
}

/** Returns the address of the precomputed point that the bits of a window select. */
export function windowSummand(window: number, bits: number): number {
  windowTables[window] ??= makeWindowTable(window);
  const table = itemAt(windowTables, window);
  return (bits & SIGN) === 0
    ? table + bits * KNOWN_SUMMAND_BYTES
    : table + (bits ^ SIGN) * KNOWN_SUMMAND_BYTES + NEGATIVE;
}

/** Scratch memory for the computation of tables. */
const summand = curve.allocate(SUMMAND_BYTES);
const multiples = curve.allocate(WINDOW_VALUES * JUBJUB_POINT_BYTES);
const lower = curve.allocate(LOWER * JUBJUB_POINT_BYTES);
const points = curve.allocate(LOWER * JUBJUB_POINT_BYTES);
const summands = curve.allocate(LOWER * SUMMAND_BYTES);
const products = curve.allocate((LOWER + 1) * FIELD_BYTES);
const inverse = curve.allocate(FIELD_BYTES);

function makeGroupTable(group: number): number {
  const to = curve.allocate(MULTIPLES * LOWER * KNOWN_SUMMAND_BYTES);
  const windows = Array.from({ length: PEDERSEN_GROUP }, (_, at) => group * PEDERSEN_GROUP + at);
  for (const [at, window] of windows.entries()) {
    storeChoices(window);
    if (at === 0) for (let choice = 0; choice < WINDOW_VALUES; choice++) copyPoint(lower, choice, multiples, choice);
    else if (at < PEDERSEN_GROUP - 1)
      for (let choice = WINDOW_VALUES - 1; choice >= 0; choice--) addChoice(lower, choice, WINDOW_VALUES ** at);
  }
  for (let choice = 0; choice < MULTIPLES; choice++) {
    run.summandOf(summand, multiples + choice * JUBJUB_POINT_BYTES);
    for (let at = 0; at < LOWER; at++) {
      copyPoint(points, at, lower, at);
      run.addSummand(points + at * JUBJUB_POINT_BYTES, summand);
    }
    writeKnown(to + choice * LOWER * KNOWN_SUMMAND_BYTES, points, LOWER);
  }
  return to;
}

function makeWindowTable(window: number): number {
  const to = curve.allocate(MULTIPLES * KNOWN_SUMMAND_BYTES);
  storeChoices(window);
  writeKnown(to, multiples, MULTIPLES);
  return to;
}

/**
 * Adds the point for value `choice` of the next window to each of the first `count` sums in `to`. Stores the results
 * from index choice × count on. Value 0 must be added last, because its results overwrite the first `count` sums.
 */
function addChoice(to: number, choice: number, count: number): void {
  run.summandOf(summand, multiples + choice * JUBJUB_POINT_BYTES);
  for (let at = 0; at < count; at++) {
    copyPoint(to, choice * count + at, to, at);
    run.addSummand(to + (choice * count + at) * JUBJUB_POINT_BYTES, summand);
  }
}

/** Writes the points of all eight values of a window to `multiples`. */
function storeChoices(window: number): void {
  const unit = unitOf(window);
  run.summandOf(summand, unit);
  curve.copyPoint(multiples, unit);
  for (let at = 1; at < MULTIPLES; at++) {
    copyPoint(multiples, at, multiples, at - 1);
    run.addSummand(multiples + at * JUBJUB_POINT_BYTES, summand);
  }
  for (let at = 0; at < MULTIPLES; at++)
    curve.negatePoint(multiples + (SIGN + at) * JUBJUB_POINT_BYTES, multiples + at * JUBJUB_POINT_BYTES);
}

function copyPoint(to: number, toAt: number, from: number, at: number): void {
  curve.copyPoint(to + toAt * JUBJUB_POINT_BYTES, from + at * JUBJUB_POINT_BYTES);
}

function unitOf(window: number): number {
  for (let at = units.length; at <= window; at++) {
    const unit = curve.allocate(JUBJUB_POINT_BYTES);
    if (at % SEGMENT_WINDOWS === 0) curve.writePoint(unit, generator(at / SEGMENT_WINDOWS));
    else {
      curve.copyPoint(unit, itemAt(units, at - 1));
      for (let i = 0; i < WINDOW_DOUBLINGS; i++) run.double(unit);
    }
    units.push(unit);
  }
  return itemAt(units, window);
}

/** Writes points in the precomputed form that `chooseKnown` adds. All points share one field inversion. */
function writeKnown(to: number, from: number, count: number): void {
  const z = (at: number): number => summands + at * SUMMAND_BYTES + 3 * FIELD_BYTES;
  const product = (at: number): number => products + at * FIELD_BYTES;
  curve.write(products, 1n);
  for (let at = 0; at < count; at++) {
    run.summandOf(summands + at * SUMMAND_BYTES, from + at * JUBJUB_POINT_BYTES);
    run.multiply(product(at + 1), product(at), z(at));
  }
  curve.invert(inverse, product(count));
  for (let at = count - 1; at >= 0; at--) {
    run.multiply(product(at), product(at), inverse);
    run.multiply(inverse, inverse, z(at));
    const parts = summands + at * SUMMAND_BYTES;
    for (const part of [0, FIELD_BYTES, 2 * FIELD_BYTES]) run.multiply(parts + part, parts + part, product(at));
    run.knownSummand(to + at * KNOWN_SUMMAND_BYTES, parts);
  }
}

function generator(segment: number) {
  const index = Buffer.alloc(4);
  index.writeUInt32LE(segment);
  return jubjub_findGroupHash(index, utf8('Zcash_PH'));
}
