import { spawnSync } from 'node:child_process';
import t from 'tap';
import { temporaryFolder } from '../support/temporary-folder.js';
import { damagedSources } from './damaged-sources.js';
import { hostileQueries } from './hostile-queries.js';
import { malformedDatagrams } from './malformed-datagrams.js';
import { malformedFrames } from './malformed-frames.js';
import { powerLoss } from './power-loss.js';
import { createRandom } from './random.js';
import { reconnectingSubscribers } from './reconnecting-subscribers.js';
import { withinMemoryLimit } from './support/memory-limit.js';

// Runs those measurements of `npm run reliability` that are short and that no other test covers, with at most a tenth
// of their size. Fixed seeds make all runs equal. `power-loss` needs strace, which is not installed on every machine.
const hasStrace = spawnSync('strace', ['-V']).error === undefined;
t.test('reports a process that needed more memory than the limit', async (t) => {
  t.match(withinMemoryLimit(), /^\d+ MiB of memory at most$/);
  t.throws(() => withinMemoryLimit('self', 1024 * 1024), { message: /MiB of memory at most, the limit is 1 MiB$/ });
});

for (const [name, measurement, share] of [
  ['reconnecting-subscribers', reconnectingSubscribers, 10],
  ['malformed-frames', malformedFrames, 100],
  ['malformed-datagrams', malformedDatagrams, 100],
  ['hostile-queries', hostileQueries, 10],
  ['damaged-sources', damagedSources, 20],
  ...(hasStrace ? ([['power-loss', powerLoss, 20]] as const) : []),
] as const) {
  t.test(`${name}: ${measurement.title}`, async (t) => {
    const options = { count: measurement.gate / share, folder: temporaryFolder(t), random: createRandom(1) };
    t.comment(await measurement.run(options));
    t.pass('the target is met');
  });
}
