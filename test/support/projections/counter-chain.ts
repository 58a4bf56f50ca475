import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import type { RowChange, StateReader } from '../../../src/projections/state/state-reader.js';
import { blockId } from './chain.js';

/** Number of blocks between the head and the solidified block of this chain. */
export const LAG = 5;

/**
 * Appends the next block of a chain. The content of the block depends only on the height and on `salt`, which changes
 * the ids. Each block increments a counter, creates a row and deletes an older row.
 */
export function appendCounterBlock(ledger: WriterLedger, salt = ''): void {
  const { headNumber, headId } = ledger.position;
  const number = headNumber + 1;
  const solidified = Math.max(0, number - LAG);
  ledger.append({
    number,
    id: blockId(number, salt),
    parentId: headId,
    bytes: Buffer.alloc(3000, number),
    results: Buffer.alloc(100, number),
    transactionIds: [blockId(number, `tx${salt}`)],
    changes: counterChanges(ledger.head, number),
    internalTransactions: new Uint8Array(0),
    solidified: { number: solidified, id: ledger.blockIdAt(solidified) as Uint8Array },
  });
}

/** Returns the row changes of the block at a height. */
export function counterChanges(head: StateReader, number: number): RowChange[] {
  const counter = Buffer.from('counter');
  const old = Buffer.from(`row ${number - 7}`);
  const changes: RowChange[] = [
    { store: 20, key: counter, before: head.get(20, counter), after: Buffer.from(String(number)) },
    { store: 1, key: Buffer.from(`row ${number}`), before: undefined, after: Buffer.alloc(150, number) },
  ];
  if (number > 7) changes.push({ store: 1, key: old, before: head.get(1, old), after: undefined });
  return changes;
}
