import { itemAt } from './assert.js';

/**
 * Returns the candidate that is spelt most like a word. Also returns the number of edits between them. Ignores upper
 * and lower case.
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

/** Returns the candidate that a misspelt word probably means. Returns undefined if no candidate is similar enough. */
export function intendedWord(word: string, candidates: readonly string[]): string | undefined {
  const nearest = nearestWord(word, candidates);
  return nearest.edits <= MISSPELT_EDITS_MAX ? nearest.word : undefined;
}

/**
 * Returns the candidate that a word misspells. At most a third of its letters, but at least one, may be wrong. This
 * limit is stricter than that of {@link intendedWord}: other words are names that a client may send on purpose.
 */
export function misspeltWord(word: string, candidates: readonly string[]): string | undefined {
  const nearest = nearestWord(word, candidates);
  return nearest.edits <= Math.max(1, Math.floor(word.length / 3)) ? nearest.word : undefined;
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
