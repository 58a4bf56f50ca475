import t from 'tap';
import type { LogEntry } from '../../../../src/log/log-entry.js';
import { LogNotifier } from '../../../../src/log/stream/log-notifier.js';
import { type EntrySource, logPages } from '../../../../src/log/stream/log-pages.js';

/** A log whose pages have two entries each. */
class Entries implements EntrySource {
  committedSeq = -1;
  readonly requests: number[] = [];

  page(fromSeq: number): readonly LogEntry[] {
    this.requests.push(fromSeq);
    return [fromSeq, fromSeq + 1].filter((seq) => seq <= this.committedSeq).map((seq) => ({ seq }) as LogEntry);
  }

  refreshForReader(): void {}
}

t.test('reads a page only on request, and marks the newest page', async (t) => {
  const source = new Entries();
  source.committedSeq = 4;
  const pages = logPages(source, new LogNotifier(), { fromSeq: 0, follow: false });
  const found: unknown[] = [];
  for (let page = await pages.next(); page.done !== true; page = await pages.next()) {
    found.push([page.value.items.map(({ seq }) => seq), page.value.isNewest]);
    t.equal(source.requests.length, found.length);
  }
  t.strictSame(found, [
    [[0, 1], false],
    [[2, 3], false],
    [[4], true],
  ]);
});

t.test('wakes for an entry that is committed between the last read and the wait', async (t) => {
  const source = new Entries();
  const notifier = new LogNotifier();
  const pages = logPages(source, notifier, { fromSeq: 0 });
  source.page = (fromSeq) => {
    source.page = () => [{ seq: fromSeq } as LogEntry];
    source.committedSeq = 0;
    notifier.notify();
    return [];
  };
  t.equal((await pages.next()).value.items[0].seq, 0);
  notifier.close();
  t.equal((await pages.next()).done, true, 'ends when the log is closed');
});

t.test('ends at the newest entry once it is drained', async (t) => {
  const source = new Entries();
  source.committedSeq = 1;
  const drain = new AbortController();
  const pages = logPages(source, new LogNotifier(), { fromSeq: 0, drain: drain.signal });
  t.equal((await pages.next()).done, false);
  const pending = pages.next();
  source.committedSeq = 2;
  drain.abort();
  t.equal((await pending).value.items[0].seq, 2, 'entries committed before the drain are still read');
  t.equal((await pages.next()).done, true);
});
