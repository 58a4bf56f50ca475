import type { Logger } from 'pino';
import t from 'tap';
import { SyncProgress } from '../../../../src/p2p/sync/sync-progress.js';

t.test('logs the rate of a long sync every ten seconds', async (t) => {
  let time = 0;
  const lines: unknown[] = [];
  const log = { info: (fields: object) => lines.push(fields) } as unknown as Logger;
  const progress = new SyncProgress(log, () => time);
  for (let number = 1; number <= 101; number++) {
    progress.applied(number, 1000 - number);
    time += 100;
  }
  t.same(lines, [{ num: 101, left: 899, blocksPerSecond: 10, secondsLeft: 90 }]);
});
