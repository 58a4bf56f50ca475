import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { Checkpoints } from '../../../../src/projections/checkpoints/checkpoints.js';
import type { StateCursor } from '../../../../src/projections/state/state-cursor.js';
import type { StateDatabase } from '../../../../src/projections/state/state-database.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

t.test('reads back an empty value whose buffer has no bytes', async (t) => {
  const folder = temporaryFolder(t);
  const cursor = { seq: 2, number: 1, id: new Uint8Array(32).fill(1), digest: new Uint8Array(32).fill(2) };
  const empty = new Uint8Array(new ArrayBuffer(0));
  const write = { ordered: utf8('row'), before: undefined, after: empty };
  new Checkpoints(folder, 2, silentLog).write({ fromSeq: 0, cursor, writes: [write] });
  const applied: string[] = [];
  const state = {
    findMismatch: () => undefined,
    commit: (writes: readonly (typeof write)[], _: unknown, totals: unknown) => {
      applied.push(...writes.map(({ ordered, after }) => `${Buffer.from(ordered)} ${after?.length}`));
      return totals;
    },
  };
  const before = { ...cursor, seq: 0, number: 0 } as unknown as StateCursor;
  const recovered = new Checkpoints(folder, 2, silentLog).recover(state as unknown as StateDatabase, before, 2);
  t.equal(recovered.seq, 2);
  t.same(applied, ['row 0']);
});

t.test('leaves no draft after a failed write', (t) => {
  const folder = temporaryFolder(t);
  const cursor = { seq: -1, number: 1, id: new Uint8Array(32), digest: new Uint8Array(32) };
  const checkpoints = new Checkpoints(folder, 2, silentLog);
  t.throws(() => checkpoints.write({ fromSeq: 0, cursor, writes: [] }), { code: 'ERR_OUT_OF_RANGE' });
  t.same(readdirSync(join(folder, 'checkpoint')), []);
  checkpoints.write({ fromSeq: 0, cursor: { ...cursor, seq: 1 }, writes: [] });
  t.equal(readdirSync(join(folder, 'checkpoint')).length, 1);
  t.end();
});
