import t from 'tap';
import { type Batch, inBatches } from '../../../../src/log/stream/in-batches.js';
import type { Page } from '../../../../src/log/stream/page.js';
import { readAhead } from '../../../../src/log/stream/read-ahead.js';

class Three implements Batch<number> {
  readonly items: number[] = [];

  get isFull(): boolean {
    return this.items.length === 3;
  }

  add(item: number): void {
    this.items.push(item);
  }
}

async function* pages(
  ...given: readonly (readonly [items: number[], isNewest: boolean])[]
): AsyncGenerator<Page<number>> {
  for (const [items, isNewest] of given) yield { items, isNewest };
}

async function batches(source: AsyncGenerator<Page<number>>): Promise<readonly number[][]> {
  const found: number[][] = [];
  for await (const { items } of inBatches(source, () => new Three())) found.push(items);
  return found;
}

t.test('fills a batch from several pages', async (t) => {
  t.strictSame(await batches(pages([[1, 2], false], [[3, 4, 5, 6, 7], false])), [[1, 2, 3], [4, 5, 6], [7]]);
});

t.test('does not wait for more items at the end of the log', async (t) => {
  t.strictSame(await batches(pages([[1, 2], true], [[], true], [[3], true])), [[1, 2], [3]]);
});

t.test('reads one batch ahead, and no more', async (t) => {
  let read = 0;
  const source = async function* (): AsyncGenerator<number> {
    for (;;) yield read++;
  };
  const ahead = readAhead(source());
  for (const expected of [0, 1, 2]) {
    t.equal((await ahead.next()).value, expected);
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(read, expected + 2);
  }
  await ahead.return(undefined);
});

t.test('passes an error of the source to the consumer', async (t) => {
  const source = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('no');
  };
  const ahead = readAhead(source());
  t.equal((await ahead.next()).value, 1);
  await t.rejects(ahead.next(), { message: 'no' });
});
