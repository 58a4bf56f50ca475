import { itemAt } from '../primitives/assert.js';
import { illegalArgument } from './java-error.js';

/** Compares two elements. Returns a negative number if the first element precedes the second. */
type Compare<T> = (a: T, b: T) => number;

/** Minimum length of a list that is sorted by merging runs. Shorter lists are sorted by insertion only. */
const MERGED_MIN = 32;
/** Number of consecutive elements from the same run after which a merge uses galloping search. */
const GALLOP_MIN = 7;

interface Run {
  readonly start: number;
  readonly size: number;
}

/**
 * Sorts in place with the same comparisons as Java's TimSort. java-tron sorts some lists with inconsistent comparators,
 * so the result depends on the algorithm. Reference: java.util.TimSort.
 *
 * @throws {JavaError} IllegalArgumentException: the comparator is inconsistent, and Java detects it too
 */
export function javaSort<T>(items: T[], compare: Compare<T>): T[] {
  const count = items.length;
  if (count < MERGED_MIN) {
    insertionSort(items, 0, count, ascendingRun(items, 0, count, compare), compare);
    return items;
  }
  const merger = new Merger(items, compare);
  const sizeMin = runSizeMin(count);
  for (let start = 0; start < count; ) {
    let size = ascendingRun(items, start, count, compare);
    if (size < sizeMin) {
      const forced = Math.min(sizeMin, count - start);
      insertionSort(items, start, start + forced, start + size, compare);
      size = forced;
    }
    merger.push({ start, size });
    start += size;
  }
  merger.finish();
  return items;
}

/**
 * Returns a minimum run size from 16 to 32. The size is chosen such that the number of runs is about a power of two.
 */
function runSizeMin(count: number): number {
  let size = count;
  let hasRest = 0;
  while (size >= MERGED_MIN) {
    hasRest |= size & 1;
    size >>= 1;
  }
  return size + hasRest;
}

/** Returns the size of the sorted run that starts at `start`. Reverses a descending run. */
function ascendingRun<T>(items: T[], start: number, end: number, compare: Compare<T>): number {
  if (end - start < 2) return end - start;
  const isDescending = compare(itemAt(items, start + 1), itemAt(items, start)) < 0;
  let at = start + 2;
  while (at < end && compare(itemAt(items, at), itemAt(items, at - 1)) < 0 === isDescending) at++;
  if (isDescending) {
    const turned = items.slice(start, at).reverse();
    items.splice(start, turned.length, ...turned);
  }
  return at - start;
}

/** Sorts the elements from `start` to `end`. The elements before `sortedEnd` are already sorted. */
function insertionSort<T>(items: T[], start: number, end: number, sortedEnd: number, compare: Compare<T>): void {
  for (let at = sortedEnd; at < end; at++) {
    const item = itemAt(items, at);
    let low = start;
    let high = at;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(item, itemAt(items, middle)) < 0) high = middle;
      else low = middle + 1;
    }
    items.copyWithin(low + 1, low, at);
    items[low] = item;
  }
}

/** One of the two runs of a merge. Elements are removed from its front, or from its end in a backward merge. */
class Side<T> {
  private items: T[];
  private readonly isForward: boolean;
  private readonly out: T[];

  constructor(items: T[], isForward: boolean, out: T[]) {
    this.items = items;
    this.isForward = isForward;
    this.out = out;
  }

  get size(): number {
    return this.items.length;
  }

  get next(): T {
    return itemAt(this.items, this.isForward ? 0 : this.items.length - 1);
  }

  /** Moves elements to the output. In a backward merge, the output is in reverse order. */
  take(count: number): void {
    const { items, isForward } = this;
    if (isForward) this.out.push(...items.slice(0, count));
    else this.out.push(...items.slice(items.length - count).reverse());
    this.items = isForward ? items.slice(count) : items.slice(0, items.length - count);
  }

  /**
   * Returns the number of elements to take next. `isBefore` must be true for the elements up to some index, and false
   * for all later elements. A forward merge takes the elements for which `isBefore` is true; a backward merge takes the
   * others.
   */
  near(isBefore: (item: T) => boolean): number {
    const { items, isForward } = this;
    const position = gallop(items, isForward ? 0 : items.length - 1, isBefore);
    return isForward ? position : items.length - position;
  }
}

/** Returns the number of elements for which `isBefore` is true. Searches from `hint` with growing steps. */
function gallop<T>(items: readonly T[], hint: number, isBefore: (item: T) => boolean): number {
  const goesUp = isBefore(itemAt(items, hint));
  const stepMax = goesUp ? items.length - hint : hint + 1;
  const sign = goesUp ? 1 : -1;
  let last = 0;
  let step = 1;
  while (step < stepMax && isBefore(itemAt(items, hint + sign * step)) === goesUp) {
    last = step;
    step = step * 2 + 1;
  }
  step = Math.min(step, stepMax);
  let low = (goesUp ? hint + last : hint - step) + 1;
  let high = goesUp ? hint + step : hint - last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(itemAt(items, middle))) low = middle + 1;
    else high = middle;
  }
  return high;
}

class Merger<T> {
  private readonly items: T[];
  private readonly compare: Compare<T>;
  private readonly runs: Run[] = [];
  private gallopMin = GALLOP_MIN;

  constructor(items: T[], compare: Compare<T>) {
    this.items = items;
    this.compare = compare;
  }

  /** Adds a run. Merges runs until each run is larger than the sum of the next two runs. */
  push(run: Run): void {
    const { runs } = this;
    runs.push(run);
    const size = (fromEnd: number): number => itemAt(runs, runs.length - fromEnd).size;
    while (runs.length > 1) {
      const isUneven =
        (runs.length > 2 && size(3) <= size(2) + size(1)) || (runs.length > 3 && size(4) <= size(3) + size(2));
      if (isUneven) this.mergeAt(size(3) < size(1) ? runs.length - 3 : runs.length - 2);
      else if (size(2) <= size(1)) this.mergeAt(runs.length - 2);
      else break;
    }
  }

  finish(): void {
    const { runs } = this;
    while (runs.length > 1) {
      const isLastLarger = runs.length > 2 && itemAt(runs, runs.length - 3).size < itemAt(runs, runs.length - 1).size;
      this.mergeAt(runs.length - (isLastLarger ? 3 : 2));
    }
  }

  private mergeAt(index: number): void {
    const { items, compare, runs } = this;
    const first = itemAt(runs, index);
    const second = itemAt(runs, index + 1);
    runs.splice(index, 2, { start: first.start, size: first.size + second.size });
    const left = items.slice(first.start, second.start);
    const right = items.slice(second.start, second.start + second.size);
    // Skips the elements at both ends that are already in their final position.
    const placed = gallop(left, 0, (item) => compare(itemAt(right, 0), item) >= 0);
    if (placed === left.length) return;
    const kept = gallop(right, right.length - 1, (item) => compare(itemAt(left, left.length - 1), item) > 0);
    if (kept === 0) return;
    const merged = this.merge(left.slice(placed), right.slice(0, kept));
    items.splice(first.start + placed, merged.length, ...merged);
  }

  private merge(lefts: T[], rights: T[]): T[] {
    const isForward = lefts.length <= rights.length;
    const out: T[] = [];
    const left = new Side(lefts, isForward, out);
    const right = new Side(rights, isForward, out);
    // If only one element of the smaller run remains, the merge ends, because this element follows all remaining
    // elements of the larger run.
    const smaller = isForward ? left : right;
    const larger = isForward ? right : left;
    larger.take(1);
    if (larger.size > 0 && smaller.size > 1) this.mergeSides(left, right, isForward);
    if (smaller.size === 0) throw illegalArgument('Comparison method violates its general contract!');
    if (smaller.size === 1) larger.take(larger.size);
    smaller.take(smaller.size);
    return isForward ? out : out.reverse();
  }

  private mergeSides(left: Side<T>, right: Side<T>, isForward: boolean): void {
    const { compare } = this;
    const ends = { left: isForward ? 1 : 0, right: isForward ? 0 : 1 };
    const takeLeft = (count: number): boolean => {
      left.take(count);
      return left.size <= ends.left;
    };
    const takeRight = (count: number): boolean => {
      right.take(count);
      return right.size <= ends.right;
    };
    let { gallopMin } = this;
    const merge = (): void => {
      for (;;) {
        let row = 0;
        for (let wasLeft: boolean | undefined; row < gallopMin; ) {
          const isLeft = compare(right.next, left.next) < 0 !== isForward;
          row = isLeft === wasLeft ? row + 1 : 1;
          wasLeft = isLeft;
          if (isLeft ? takeLeft(1) : takeRight(1)) return;
        }
        let lefts: number;
        let rights: number;
        do {
          const rightKey = right.next;
          lefts = left.near((item) => compare(rightKey, item) >= 0);
          if ((lefts > 0 && takeLeft(lefts)) || takeRight(1)) return;
          const leftKey = left.next;
          rights = right.near((item) => compare(leftKey, item) > 0);
          if ((rights > 0 && takeRight(rights)) || takeLeft(1)) return;
          gallopMin--;
        } while (lefts >= GALLOP_MIN || rights >= GALLOP_MIN);
        gallopMin = Math.max(gallopMin, 0) + 2;
      }
    };
    merge();
    this.gallopMin = Math.max(gallopMin, 1);
  }
}
