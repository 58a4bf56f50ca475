import pino from 'pino';
import t from 'tap';
import {
  apiThreadCount,
  canSharePorts,
  poolThreadCount,
} from '../../../../../src/node/threads/api-threads/thread-count.js';

t.test('shares ports from Node.js 22.12 on, only on Linux', async (t) => {
  for (const version of ['20.20.2', '22.11.0', '23.0.0']) t.equal(canSharePorts(version, 'linux'), false, version);
  for (const version of ['22.12.0', '22.20.1', '23.1.0', '24.0.0', '26.1.0'])
    t.equal(canSharePorts(version, 'linux'), true, version);
  t.equal(canSharePorts('24.0.0', 'darwin'), false);
});

t.test('runs one thread, with a warning, if several are configured but not possible', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const one = apiThreadCount({ configured: 3, processors: 8, canShare: false }, log);
  t.equal(one, 1);
  t.match(JSON.parse(lines[0]!), { workers: 3, msg: /tronicle.api.workers ignored/ });
  t.equal(apiThreadCount({ configured: 0, processors: 8, canShare: false }, log), 1);
  t.equal(apiThreadCount({ configured: 1, processors: 8, canShare: false }, log), 1);
  t.equal(lines.length, 1, 'only a configured number is worth a warning');
});

t.test('derives the number of threads from the number of processors', async (t) => {
  const log = pino({ level: 'silent' });
  const threads = (configured: number, processors: number): number =>
    apiThreadCount({ configured, processors, canShare: true }, log);
  t.same(
    [1, 2, 3, 4, 8, 64].map((processors) => threads(0, processors)),
    [1, 1, 1, 2, 6, 8],
  );
  t.equal(threads(2, 1), 2);
  t.equal(poolThreadCount({ configured: 0, processors: 8 }, 3), 2);
  t.equal(poolThreadCount({ configured: 0, processors: 2 }, 2), 1);
  t.equal(poolThreadCount({ configured: 7, processors: 2 }, 2), 3);
});
