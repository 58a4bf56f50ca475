import t from 'tap';
import type { AppliedEntry, LogEntry } from '../../../../src/log/log-entry.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import { SolidCursor } from '../../../../src/streams/follow/solid-blocks.js';
import { blockId } from '../../../support/projections/chain.js';

/** Number of unsolidified blocks: about two weeks without finality. */
const BLOCKS = 400_000;

t.test('reports solidified blocks after a long time without finality', (t) => {
  const id = blockId(1, '');
  const applied = (number: number) => ({ kind: 'applied', seq: number, number, id, parentId: id }) as AppliedEntry;
  const ledger = { storedSeq: -1, entry: applied } as unknown as Ledger;
  const cursor = new SolidCursor(ledger, undefined);
  for (let number = 0; number <= BLOCKS; number++) for (const _ of cursor.take(applied(number)));
  const solidified: LogEntry = { kind: 'solidified', seq: BLOCKS + 1, number: 2, id };
  t.same(
    [...cursor.take(solidified)].map(({ entry }) => entry.number),
    [1, 2],
  );
  t.end();
});
