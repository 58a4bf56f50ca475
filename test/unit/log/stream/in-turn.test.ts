import { setTimeout as sleep } from 'node:timers/promises';
import { lastValueFrom, of, throwError, toArray } from 'rxjs';
import t from 'tap';
import { inTurn } from '../../../../src/log/stream/in-turn.js';

/** A source that counts the requested items. It also records if the iteration was ended early. */
class Source {
  requested = 0;
  isEnded = false;

  async *items(signal: AbortSignal, count: number): AsyncGenerator<number> {
    try {
      while (this.requested < count && !signal.aborted) yield this.requested++;
    } finally {
      this.isEnded = true;
    }
  }
}

t.test('requests an item only after the work on the previous item has ended', async (t) => {
  const source = new Source();
  const ahead: number[] = [];
  const results = inTurn(
    (signal) => source.items(signal, 4),
    async (item) => {
      await sleep(1);
      ahead.push(source.requested - item);
      return item * 10;
    },
  );
  t.equal(source.requested, 0, 'no item is read without a subscriber');
  t.strictSame(await lastValueFrom(results.pipe(toArray())), [0, 10, 20, 30]);
  t.strictSame(ahead, [1, 1, 1, 1]);
});

t.test('ends the iteration before it reports an error of the work', async (t) => {
  const source = new Source();
  const failing = inTurn(
    (signal) => source.items(signal, 9),
    (item) => (item === 2 ? throwError(() => new Error('no')) : of(item)),
  );
  await t.rejects(lastValueFrom(failing), { message: 'no' });
  t.equal(source.requested, 3);
  t.ok(source.isEnded);
});

t.test('reads nothing more after the subscription ended', async (t) => {
  const source = new Source();
  const subscription = inTurn(
    (signal) => source.items(signal, 1000),
    () => sleep(2),
  ).subscribe();
  await sleep(10);
  subscription.unsubscribe();
  const { requested } = source;
  await sleep(20);
  t.ok(requested > 0 && requested < 1000);
  t.equal(source.requested, requested);
  t.ok(source.isEnded);
});
