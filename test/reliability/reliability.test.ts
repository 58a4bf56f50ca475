import t from 'tap';
import { temporaryFolder } from '../support/temporary-folder.js';
import { hostileQueries } from './hostile-queries.js';
import { createRandom } from './random.js';
import { reconnectingSubscribers } from './reconnecting-subscribers.js';

// A tenth of what `npm run reliability` measures, where that is short and nothing else covers it. Seeds are fixed: the same run each time.
for (const [number, measurement] of [
  ['17', reconnectingSubscribers],
  ['28', hostileQueries],
] as const) {
  t.test(`${number}: ${measurement.title}`, async (t) => {
    const options = { count: measurement.gate / 10, folder: temporaryFolder(t), random: createRandom(1) };
    t.comment(await measurement.run(options));
    t.pass('the target is met');
  });
}
