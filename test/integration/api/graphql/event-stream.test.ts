import t, { type Test } from 'tap';
import { type EventFinality, type EventKind, EventStream } from '../../../../src/api/graphql/events/event-stream.js';
import { LogTail } from '../../../../src/api/graphql/events/log-tail.js';
import { createGraphqlSource, type GraphqlSource } from '../../../../src/api/graphql/graphql-source.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { api, rules } from '../../../support/graphql/served-ledger.js';
import { eachItem } from '../../../support/log/each-item.js';
import { seeded } from '../../../support/projections/chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

interface Event {
  readonly kind: EventKind;
  readonly item: string;
}

/** Extends the chain by random steps, with reorgs and jumps of the solidified height. */
async function grow(ledger: WriterLedger, random: (below: number) => number, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const { headNumber, solidifiedNumber } = ledger.position;
    const free = headNumber - solidifiedNumber;
    if (free > 0 && random(5) === 0) {
      for (let undo = 1 + random(free); undo > 0; undo--) ledger.revert();
      continue;
    }
    const solidified = free > 2 && random(3) === 0 ? solidifiedNumber + 1 + random(free - 1) : undefined;
    appendTransfers(ledger, { salt: String(random(1e9)), transactions: random(4), ...(solidified && { solidified }) });
    if (random(4) === 0) await ledger.flush();
  }
  await ledger.flush();
}

/** Returns the expected events, computed from the log entries. */
async function expected(ledger: Ledger, finality: EventFinality): Promise<Event[]> {
  const events: Event[] = [];
  let last = 0;
  for await (const entry of eachItem(ledger.pages({ fromSeq: 1, follow: false }))) {
    const ids = (id: Uint8Array): string[] => ledger.entryOfId(id)!.transactionIds.map(toHex);
    if (finality === 'APPLIED') {
      if (entry.kind === 'solidified') continue;
      const kind = entry.kind === 'applied' ? 'APPLIED' : 'REVERTED';
      events.push(...ids(entry.id).map((item) => ({ kind, item }) as const));
    } else if (entry.kind === 'solidified') {
      for (let number = last + 1; number <= entry.number; number++) {
        events.push(...ids(ledger.blockIdAt(number)!).map((item) => ({ kind: 'SOLIDIFIED', item }) as const));
      }
      last = entry.number;
    }
  }
  return events;
}

function stream(source: GraphqlSource, tail: LogTail, finality: EventFinality, after: string) {
  const select = ({ transactions }: { transactions: readonly { id: Uint8Array }[] }): string[] =>
    transactions.map(({ id }) => toHex(id));
  return new EventStream<string>({ source, tail, finality, after, select });
}

/** Returns a GraphQL source and a log tail of the ledger. The tail and the ledger are closed after the test. */
function follow(t: Test, ledger: Ledger): { readonly source: GraphqlSource; readonly tail: LogTail } {
  const source = createGraphqlSource({ ledger, rules: rules(), api });
  const tail = new LogTail(ledger);
  t.teardown(async () => {
    await tail.close();
    await ledger.close();
  });
  return { source, tail };
}

const START = Buffer.from('n:0:0:0').toString('base64url');

for (const finality of ['APPLIED', 'SOLIDIFIED'] as const) {
  for (const seed of [1, 2, 3]) {
    t.test(`${finality}: resumes after random disconnects without gaps or duplicates (seed ${seed})`, async (t) => {
      const random = seeded(seed);
      const ledger = await openChain(temporaryFolder(t));
      const { source, tail } = follow(t, ledger);
      await grow(ledger, random, 60);
      const received: Event[] = [];
      let cursor = START;
      for (let round = 0; round < 40; round++) {
        const expectedCount = (await expected(ledger, finality)).length;
        const events = stream(source, tail, finality, cursor);
        for (let count = random(12); count > 0 && received.length < expectedCount; count--) {
          const { value } = await events.next();
          received.push({ kind: value.kind, item: value.item });
          cursor = value.cursor;
        }
        await events.return();
        if (round % 4 === 0) await grow(ledger, random, 6);
      }
      const all = await expected(ledger, finality);
      const rest = stream(source, tail, finality, cursor);
      while (received.length < all.length) {
        const { value } = await rest.next();
        received.push({ kind: value.kind, item: value.item });
      }
      t.ok(all.length > 40);
      if (finality === 'APPLIED') t.ok(all.some(({ kind }) => kind === 'REVERTED'));
      t.same(received, all);

      const pending = rest.next();
      appendTransfers(ledger, { salt: 'last', transactions: 1, solidified: ledger.position.headNumber + 1 });
      await ledger.flush();
      const first = (await expected(ledger, finality))[all.length];
      t.same((await pending).value?.item, first?.item, 'the event of a new block follows');

      const over = rest.next().then(async (result) => (result.done === true ? result : await rest.next()));
      await rest.return();
      await over;
      t.equal((await rest.next()).done, true, 'a stream that waits for a block can be ended');
    });
  }
}

t.test('rejects a cursor of another finality, of another log or with invalid content', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  const { source, tail } = follow(t, ledger);
  for (const text of ['s:0:0:0', 'n:5:0:0', 'n:-1:0:0', 'n:x:0:0', 'x', '', 'logs:1:1']) {
    const cursor = Buffer.from(text).toString('base64url') || '!';
    t.throws(() => stream(source, tail, 'APPLIED', cursor), /cursor/, text);
  }
});

t.test('rejects a cursor whose entry has not solidified the block', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  for (let number = 1; number <= 12; number++)
    appendTransfers(ledger, number % 4 === 0 ? { transactions: 1, solidified: number } : { transactions: 1 });
  await ledger.flush();
  const { source, tail } = follow(t, ledger);
  const solidified: { readonly seq: number; readonly number: number }[] = [];
  for await (const entry of eachItem(ledger.pages({ fromSeq: 1, follow: false })))
    if (entry.kind === 'solidified') solidified.push(entry);
  const { seq } = solidified.at(-1)!;
  t.same(solidified.at(-1), { ...solidified.at(-1), number: 12 });
  const first = (text: string): Promise<IteratorResult<unknown>> =>
    stream(source, tail, 'SOLIDIFIED', Buffer.from(text).toString('base64url')).next();
  t.match(await first(`s:${seq}:12:0`), { done: false });
  t.match(await first(`s:${seq}:9:0`), { done: false });
  for (const wrong of [`s:${seq}:8:0`, `s:${seq}:0:0`, `s:${seq}:13:0`, `s:${seq - 1}:12:0`])
    await t.rejects(first(wrong), { extensions: { code: 'BAD_CURSOR' }, message: /has not solidified block/ }, wrong);
});

t.test('other tasks run while a stream searches many unsolidified blocks', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  for (let number = 1; number <= 10_000; number++) appendTransfers(ledger, { transactions: 0 });
  appendTransfers(ledger, { transactions: 1, solidified: 10_001 });
  await ledger.flush();
  const { source, tail } = follow(t, ledger);
  const { storedSeq } = ledger;
  t.equal(ledger.entry(storedSeq).kind, 'solidified');
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  for (const [name, cursor] of [
    ['the search for the previous solidified entry', `n:${storedSeq - 1}:0:0`],
    ['the check of a cursor', `s:${storedSeq}:10001:0`],
  ] as const) {
    turns = 0;
    isDone = false;
    setImmediate(count);
    const { value } = await stream(source, tail, 'SOLIDIFIED', Buffer.from(cursor).toString('base64url')).next();
    isDone = true;
    t.equal((value as { kind: string }).kind, 'SOLIDIFIED');
    t.ok(turns > 3, `${name} took ${turns} turns of the event loop`);
  }
});

t.test('SOLIDIFIED: continues from each stored entry, and reports pruned blocks as LOG_CUT', async (t) => {
  const ledger = await openChain(temporaryFolder(t), { retention: 'unsolidified', logRetention: 10 });
  const { source, tail } = follow(t, ledger);
  const heightOf = new Map<string, number>();
  for (let number = 1; number <= 40; number++) {
    const { id } = appendTransfers(ledger, { transactions: 1, solidified: Math.max(number - 5, 1) });
    heightOf.set(toHex(ledger.entryOfId(id)!.transactionIds[0]!), number);
    await ledger.flush();
  }
  t.equal(ledger.startNumber, 30);
  let solidified = 0;
  for (let seq = ledger.seqAfter(0) - 1; seq < ledger.storedSeq - 1; seq++) {
    const entry = seq < ledger.seqAfter(0) ? undefined : ledger.entry(seq);
    if (entry?.kind === 'solidified') solidified = entry.number;
    const events = stream(source, tail, 'SOLIDIFIED', Buffer.from(`n:${seq}:0:0`).toString('base64url'));
    const first = events.next();
    if (solidified < 30) await t.rejects(first, { code: 'LOG_CUT' }, `entry ${seq}, solidified ${solidified}`);
    else t.equal(heightOf.get((await first).value.item), solidified + 1, `entry ${seq}`);
    await events.return();
  }
});
