import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary-folder.js';
import { damagedSources } from './damaged-sources.js';
import { hostileQueries } from './hostile-queries.js';
import { malformedDatagrams } from './malformed-datagrams.js';
import { malformedFrames } from './malformed-frames.js';
import { powerLoss } from './power-loss.js';
import { createRandom } from './random.js';
import { reconnectingSubscribers } from './reconnecting-subscribers.js';
import { soak } from './soak.js';
import { enterMemoryGroup, MEMORY_GROUP, withinMemoryLimit } from './support/memory-limit.js';

// Runs the measurements of `npm run reliability` that are short and that no other test covers, with at most a tenth
// of their usual count. Fixed seeds make all runs equal. `power-loss` needs strace, which is not installed on every
// machine.
const hasStrace = spawnSync('strace', ['-V']).error === undefined;
t.test('reports a process that needed more memory than the limit', async (t) => {
  t.match(withinMemoryLimit(), /^\d+ MiB of memory at most$/);
  t.throws(() => withinMemoryLimit('self', 1024 * 1024), { message: /MiB of memory at most, the limit is 1 MiB$/ });
});

t.test('moves a process into the control group of the option', async (t) => {
  const folder = temporaryFolder(t);
  enterMemoryGroup(4711);
  t.same(readdirSync(folder), [], 'no process without the option');
  process.env[MEMORY_GROUP] = folder;
  t.teardown(() => delete process.env[MEMORY_GROUP]);
  enterMemoryGroup(4711);
  t.equal(readFileSync(join(folder, 'cgroup.procs'), 'utf8'), '4711');
});

for (const [name, measurement, share] of [
  ['reconnecting-subscribers', reconnectingSubscribers, 10],
  ['malformed-frames', malformedFrames, 100],
  ['malformed-datagrams', malformedDatagrams, 100],
  ['hostile-queries', hostileQueries, 10],
  ['damaged-sources', damagedSources, 20],
  ['soak', soak, 100],
  ...(hasStrace ? ([['power-loss', powerLoss, 20]] as const) : []),
] as const) {
  t.test(`${name}: ${measurement.title}`, async (t) => {
    const options = { count: measurement.gate / share, folder: temporaryFolder(t), random: createRandom(1) };
    t.comment(await measurement.run(options));
    t.pass('the target is met');
  });
}
