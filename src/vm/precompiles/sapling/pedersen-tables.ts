import { jubjub_findGroupHash } from '@noble/curves/misc.js';
import { itemAt } from '../../../domain/assert.js';
import { utf8 } from '../../../domain/bytes.js';
import { KNOWN_SUMMAND_BYTES, POINT_BYTES, SUMMAND_BYTES } from '../../../wasm/jubjub/points.js';
import { FIELD_BYTES } from '../../../wasm/limbs.js';
import { curve, NEUTRAL } from './coordinates.js';

export const WINDOW_BITS = 3;
/** Windows that are looked up together. */
export const GROUP = 3;
/** Windows that share a generator. Reference: Zcash protocol, 5.4.1.7. */
const SEGMENT_WINDOWS = 63;
const SEGMENT_GROUPS = SEGMENT_WINDOWS / GROUP;
/** What a window chooses from: one to four times its point by the two low bits, negated by the third. */
const WINDOW_VALUES = 1 << WINDOW_BITS;
const MULTIPLES = 4;
const GROUP_VALUES = WINDOW_VALUES ** GROUP;
/** A window's point is 16 times that of the window before it. */
const WINDOW_DOUBLINGS = 4;

/** Addresses of known summands, by the bits that choose one: 108 KiB, and 59 such tables for a node of the tree. */
interface GroupTable {
  readonly together: number;
  /** By window: what it adds where none of its group stands behind it. */
  readonly alone: readonly number[];
  /** The first window's point. */
  readonly unit: number;
}

const { run } = curve;
/** By segment, and group in it. */
const tables: GroupTable[][] = [];

/** The table of a group of windows, which is made at its first use in some milliseconds. */
export function groupTable(group: number): GroupTable {
  const segment = Math.floor(group / SEGMENT_GROUPS);
  tables[segment] ??= [];
  const known = tables[segment];
  while (known.length <= group % SEGMENT_GROUPS) known.push(makeTable(segment, known.at(-1)));
  return itemAt(known, group % SEGMENT_GROUPS);
}

/** Room that a table is made in. */
const summand = curve.room(SUMMAND_BYTES);
const windowUnit = curve.room(POINT_BYTES);
const choices = Array.from({ length: GROUP }, () => curve.room(WINDOW_VALUES * POINT_BYTES));
const points = curve.room(GROUP_VALUES * POINT_BYTES);
const summands = curve.room(GROUP_VALUES * SUMMAND_BYTES);
const products = curve.room((GROUP_VALUES + 1) * FIELD_BYTES);
const inverse = curve.room(FIELD_BYTES);

/** @param before the table of the group before it in the segment */
function makeTable(segment: number, before: GroupTable | undefined): GroupTable {
  const unit = curve.room(POINT_BYTES);
  if (before === undefined) curve.writePoint(unit, generator(segment));
  else {
    curve.copyPoint(unit, before.unit);
    for (let i = 0; i < GROUP * WINDOW_DOUBLINGS; i++) run.double(unit);
  }
  curve.copyPoint(windowUnit, unit);
  for (const to of choices) {
    placeChoices(to, windowUnit);
    for (let i = 0; i < WINDOW_DOUBLINGS; i++) run.double(windowUnit);
  }
  const alone = choices.map((from) => knownSummands(from, WINDOW_VALUES));
  curve.copyPoint(points, NEUTRAL);
  for (const [at, from] of choices.entries()) addChoices(from, WINDOW_VALUES ** at);
  return { unit, alone, together: knownSummands(points, GROUP_VALUES) };
}

/** Makes of the first so many points those with each choice of one more window, which counts above their bits. */
function addChoices(from: number, count: number): void {
  // The first ones are overwritten last.
  for (let choice = WINDOW_VALUES - 1; choice >= 0; choice--) {
    run.summandOf(summand, from + choice * POINT_BYTES);
    for (let i = 0; i < count; i++) {
      const to = points + (choice * count + i) * POINT_BYTES;
      curve.copyPoint(to, points + i * POINT_BYTES);
      run.addSummand(to, summand);
    }
  }
}

function placeChoices(to: number, unit: number): void {
  run.summandOf(summand, unit);
  curve.copyPoint(to, unit);
  for (let i = 1; i < MULTIPLES; i++) {
    curve.copyPoint(to + i * POINT_BYTES, to + (i - 1) * POINT_BYTES);
    run.addSummand(to + i * POINT_BYTES, summand);
  }
  for (let i = 0; i < MULTIPLES; i++) curve.negatePoint(to + (MULTIPLES + i) * POINT_BYTES, to + i * POINT_BYTES);
}

/** Points as known summands, with one inversion for all. @returns where they lie from now on */
function knownSummands(from: number, count: number): number {
  const to = curve.room(count * KNOWN_SUMMAND_BYTES);
  const z = (at: number): number => summands + at * SUMMAND_BYTES + KNOWN_SUMMAND_BYTES;
  const product = (at: number): number => products + at * FIELD_BYTES;
  curve.write(products, 1n);
  for (let at = 0; at < count; at++) {
    run.summandOf(summands + at * SUMMAND_BYTES, from + at * POINT_BYTES);
    run.multiply(product(at + 1), product(at), z(at));
  }
  curve.invert(inverse, product(count));
  for (let at = count - 1; at >= 0; at--) {
    run.multiply(product(at), product(at), inverse);
    run.multiply(inverse, inverse, z(at));
    for (let i = 0; i < KNOWN_SUMMAND_BYTES; i += FIELD_BYTES)
      run.multiply(to + at * KNOWN_SUMMAND_BYTES + i, summands + at * SUMMAND_BYTES + i, product(at));
  }
  return to;
}

function generator(segment: number) {
  const index = Buffer.alloc(4);
  index.writeUInt32LE(segment);
  return jubjub_findGroupHash(index, utf8('Zcash_PH'));
}
