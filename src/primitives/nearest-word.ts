import { itemAt } from './assert.js';

/**
 * Returns the candidate that is spelt most like a word. Also returns the number of edits between the word and the
 * candidate. Ignores upper and lower case.
 */
export function nearestWord(
  word: string,
  candidates: readonly string[],
): { readonly word: string; readonly edits: number } {
  let best = { word: candidates[0] ?? '', edits: Number.POSITIVE_INFINITY };
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < best.edits) best = { word: candidate, edits };
  }
  return best;
}

/** Maximum number of edits between a misspelt word and the word that it means. */
const MISSPELT_EDITS_MAX = 3;

/**
 * Returns the candidate that a misspelt word probably means. Returns undefined if no candidate is similar enough. Does
 * not compare a candidate whose length differs by more than `editsMax`, because it would need more edits. A very long
 * word is therefore never compared.
 */
export function intendedWord(
  word: string,
  candidates: readonly string[],
  editsMax = MISSPELT_EDITS_MAX,
): string | undefined {
  const similar = candidates.filter((candidate) => Math.abs(candidate.length - word.length) <= editsMax);
  const nearest = nearestWord(word, similar);
  return nearest.edits <= editsMax ? nearest.word : undefined;
}

/**
 * Maximum number of unknown names that are compared with the known names. Clients send fewer, and a comparison takes
 * some microseconds.
 */
const UNKNOWN_NAMES_MAX = 64;

/** A name without effect, and the known name that it probably means. */
interface Misspelling {
  readonly name: string;
  readonly intended: string;
}

/**
 * Returns the first name that probably misspells a known name; undefined if no name does. Unknown names that resemble
 * no known name are allowed, because clients may send them on purpose.
 * @param editsMax maximum number of edits. Default: a third of the letters of the name, but at least one
 */
export function findMisspelling(
  names: Iterable<string>,
  known: readonly string[],
  editsMax?: number,
): Misspelling | undefined {
  let compared = 0;
  for (const name of names) {
    if (known.includes(name)) continue;
    if (++compared > UNKNOWN_NAMES_MAX) return undefined;
    const intended = intendedWord(name, known, editsMax ?? Math.max(1, Math.floor(name.length / 3)));
    if (intended !== undefined) return { name, intended };
  }
  return undefined;
}

/**
 * Returns the number of insertions, deletions and replacements that change one text into the other (Levenshtein
 * distance).
 */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let index = 1; index <= to.length; index++) {
      const replaced = itemAt(row, index - 1) + (from[at - 1] === to[index - 1] ? 0 : 1);
      next.push(Math.min(itemAt(row, index) + 1, itemAt(next, index - 1) + 1, replaced));
    }
    row = next;
  }
  return itemAt(row, to.length);
}
