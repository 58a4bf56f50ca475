import type { Ledger } from '../ledger/ledger.js';

type EntrySource = Pick<Ledger, 'base' | 'entry' | 'seqAfter' | 'startNumber'>;

/**
 * Returns the height up to which an index contains the current canonical blocks, if the index has processed the log
 * entries up to `seq`; -1 if it contains no canonical block. Later entries may have reverted or replaced the blocks
 * above this height. Undefined if the entry and its successor are pruned.
 */
export function reachOf(ledger: EntrySource & Pick<Ledger, 'block' | 'position'>, seq: number): number | undefined {
  const head = headAt(ledger, seq);
  if (head === undefined) return undefined;
  let height = Math.min(head, ledger.position.headNumber);
  // Blocks up to the start of the log cannot be reverted. Their contents may be missing.
  while (height > ledger.startNumber && (ledger.block(height)?.seq ?? Number.POSITIVE_INFINITY) > seq) height--;
  return height;
}

/**
 * Returns the height of the head after the entry with this seq; -1 before the first entry. Undefined if the entry and
 * its successor are pruned.
 */
export function headAt(ledger: EntrySource, seq: number): number | undefined {
  if (seq < 0) return -1;
  if (seq === 0) return ledger.base?.number ?? 0;
  if (!hasSuccessor(ledger, seq)) return undefined;
  const first = ledger.seqAfter(0);
  for (let at = seq; at >= first; at--) {
    const { kind, number } = ledger.entry(at);
    if (kind !== 'solidified') return kind === 'reverted' ? number - 1 : number;
  }
  return ledger.startNumber;
}

/**
 * Returns false if the entry after this seq is pruned. The entry after entry 0 always exists, because `seqAfter`
 * skips pruned entries.
 */
export function hasSuccessor(ledger: Pick<Ledger, 'seqAfter'>, seq: number): boolean {
  return seq <= 0 || seq + 1 >= ledger.seqAfter(0);
}
