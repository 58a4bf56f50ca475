import { join } from 'node:path';
import t from 'tap';
import { NodeMetrics } from '../../../../src/node/metrics/node-metrics.js';
import { present } from '../../../../src/primitives/assert.js';
import { stateProjections } from '../../../../src/projections/state-projections.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

t.test('exports rows and position of each projection of the state', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, 'stake'), dataDir);
  const metrics = new NodeMetrics({ chain, dataDir, hasMeters: false, sinks: undefined });
  t.teardown(async () => {
    await metrics.close();
    await chain.ledger.close();
  });
  const snapshot = await metrics.snapshot();
  const series = (wanted: string): Record<string, number> => {
    const { values } = present(
      snapshot.find(({ name }) => name === wanted),
      `${wanted} is exported`,
    );
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['projection']), value]));
  };
  const { seq, projections } = chain.ledger.stateSums();
  t.same(series('tronicle_projection_rows'), Object.fromEntries(projections.map(({ name, rows }) => [name, rows])));
  t.same(series('tronicle_projection_position'), Object.fromEntries(stateProjections.map(({ name }) => [name, seq])));
  t.ok((series('tronicle_projection_rows')['accounts'] ?? 0) > 0, 'genesis has accounts');
});
