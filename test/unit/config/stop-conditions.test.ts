import t from 'tap';
import { parseCron } from '../../../src/config/cron.js';
import { checkStopConditions, type ShutdownConfig } from '../../../src/config/stop-conditions.js';

const off: ShutdownConfig = { blockTime: undefined, blockHeight: -1, blockCount: -1 };
const noon = parseCron('0 0 12 * * ?');
const past = parseCron('0 0 12 * * ? 1999');
const cases: readonly [string, Partial<ShutdownConfig>, string][] = [
  ['a height below the head', { blockHeight: 9 }, 'shutDownBlockHeight 9 is less than headNum 10'],
  ['a count of 0', { blockCount: 0 }, 'shutDownBlockCount 0 is less than 1'],
  ['a time that never occurs', { blockTime: past }, 'shutDownBlockTime 0 0 12 * * ? 1999 is illegal'],
  ['height and count', { blockHeight: 20, blockCount: 5 }, 'shutDownBlockHeight 20 and shutDownBlockCount 5 set both'],
  [
    'height and time',
    { blockHeight: 20, blockTime: noon },
    'shutDownBlockHeight 20 and shutDownBlockTime 0 0 12 * * ? set both',
  ],
  [
    'count and time',
    { blockCount: 5, blockTime: noon },
    'shutDownBlockCount 5 and shutDownBlockTime 0 0 12 * * ? set both',
  ],
];
for (const [name, given, message] of cases)
  t.test(`rejects ${name}`, async (t) => {
    t.throws(() => checkStopConditions({ ...off, ...given }, 10, Date.UTC(2024, 0, 1)), {
      code: 'USAGE',
      message: `Auto-stop params error: ${message}`,
    });
  });

t.test('counts blocks from the head, and accepts only one condition', async (t) => {
  const check = (given: Partial<ShutdownConfig>) => checkStopConditions({ ...off, ...given }, 10, 0);
  t.same(check({}), {});
  t.same(check({ blockCount: 5 }), { height: 15 });
  t.same(check({ blockHeight: 10 }), { height: 10 });
  t.equal(check({ blockTime: noon }).time, noon);
});
