import t from 'tap';
import { parseCron } from '../../../src/config/cron.js';
import recorded from './cron.vectors.json' with { type: 'json' };

process.env['TZ'] = 'UTC'; // The time zone in which the expected times were recorded.

t.test('finds the next time like Quartz', async (t) => {
  for (const [text, after, next] of recorded.cases as [string, number, number | null | 'error'][]) {
    if (next === 'error') t.throws(() => parseCron(text), { code: 'USAGE' }, text);
    else t.equal(parseCron(text).nextAfter(after) ?? null, next, `${text} after ${after}`);
  }
});

t.test('matches only during the second of a matching time', async (t) => {
  for (const [text, , next] of recorded.cases as [string, number, number | null | 'error'][]) {
    if (typeof next !== 'number') continue;
    const cron = parseCron(text);
    t.ok(cron.isSatisfied(next) && cron.isSatisfied(next + 999), text);
  }
  t.notOk(parseCron('0 0 12 * * ?').isSatisfied(Date.UTC(2024, 0, 1, 12, 0, 1)));
});
