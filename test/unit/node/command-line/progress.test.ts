import t from 'tap';
import { durationText, Progress } from '../../../../src/node/command-line/progress.js';

/** Returns a progress display with its own clock, and the text that it writes. */
function started(out: { readonly isTTY?: boolean; readonly columns?: number } = {}, isQuiet = false) {
  const printed: string[] = [];
  const clock = { now: 0 };
  const progress = new Progress({
    out: { ...out, write: (text: string) => printed.push(text) },
    now: () => clock.now,
    isQuiet,
  });
  return { progress, printed, clock };
}

t.test('prints a line every ten seconds without a terminal', async (t) => {
  const { progress, printed, clock } = started();
  progress.begin('replay', { unit: 'blocks', total: 100_000 });
  for (clock.now = 1000; clock.now <= 25_000; clock.now += 1000) progress.add(400);
  progress.end();
  t.same(printed, [
    'replay: 4,000 of 100,000 blocks, 400 blocks/s, 4 min 0 s left\n',
    'replay: 8,000 of 100,000 blocks, 400 blocks/s, 3 min 50 s left\n',
  ]);
});

t.test('rewrites one line on a terminal, within its width, and removes it at the end', async (t) => {
  const { progress, printed, clock } = started({ isTTY: true, columns: 20 });
  progress.begin('backup', { unit: 'bytes' });
  for (clock.now = 100; clock.now <= 500; clock.now += 100) progress.add(1_000_000);
  progress.end();
  progress.end();
  t.same(printed, ['\r\u001b[Kbackup: 2.0 MB, 10.', '\r\u001b[Kbackup: 4.0 MB, 10.', '\r\u001b[K']);
});

t.test('starts each step at zero, and omits the remaining time if the total is unknown', async (t) => {
  const { progress, printed, clock } = started();
  progress.begin('archive', { unit: 'bytes', total: 10 });
  progress.set(5);
  clock.now = 9000;
  progress.begin('state', { unit: 'rows' });
  clock.now = 11_000;
  progress.add(50);
  t.same(printed, ['state: 50 rows, 25 rows/s\n']);
});

t.test('prints nothing if it is quiet', async (t) => {
  const { progress, printed, clock } = started({ isTTY: true }, true);
  progress.begin('replay', { unit: 'blocks' });
  clock.now = 60_000;
  progress.add(1);
  progress.end();
  t.same(printed, []);
});

t.test('prints a duration in two units', async (t) => {
  t.same([0.4, 59, 61, 3599.6, 7500].map(durationText), ['0 s', '59 s', '1 min 1 s', '1 h 0 min', '2 h 5 min']);
});
