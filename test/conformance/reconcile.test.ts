import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { movementKinds } from '../../src/streams/records/transfers/kinds.js';
import { reconcileRecording } from './reconcile-recording.js';

const golden = fileURLToPath(new URL('../golden', import.meta.url));
// Some of the recordings. `npm run conformance -- --reconcile` tests all of them.
const chains = ['stake', 'system-modern', 'tvm-forks-14-shanghai', 'release-4.8.2/tvm48'];

const seen = new Set<string>();

for (const name of chains) {
  t.test(`transfer records of ${name} sum up to every balance after every block`, async (t) => {
    const report = await reconcileRecording(join(golden, name), name, () => {});
    t.ok(report.operations > 0);
    t.equal(report.mismatched, 0, report.first ?? 'no difference');
    for (const kind of report.kinds.keys()) seen.add(kind);
  });
}

t.test('the recordings contain every kind of movement except "other"', async (t) => {
  const missing = Object.keys(movementKinds).filter((kind) => kind !== 'other' && !seen.has(kind));
  t.same(missing, []);
});
