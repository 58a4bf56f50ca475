import t from 'tap';
import { serveRecording } from '../../../support/graphql/served-chain.js';
import { Subscriber } from '../../../support/graphql/subscriber.js';

interface Change {
  readonly kind: string;
  readonly address: string;
  readonly before: string;
  readonly after: string;
}

t.test('emits account changes live and from a cursor', async (t) => {
  const { app, chain, pushTo } = await serveRecording(t, 'stake', { until: 40 });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const query = (filter: string): string => `subscription ($after: Cursor) {
    accountChanges(finality: APPLIED, filter: ${filter}, after: $after) { cursor kind change { kind address before after } } }`;
  const all = new Subscriber(port, query('{}'));
  const stakes = new Subscriber(port, query('{ kinds: [STAKE, UNSTAKE] }'));
  await all.until(({ messages }) => messages.length === 1);
  await stakes.until(({ messages }) => messages.length === 1);
  // The subscription is not active yet when its acknowledgement arrives. Waits until it is active.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await pushTo(120);
  const changesOf = (subscriber: Subscriber): Change[] =>
    subscriber.events('accountChanges').map(({ change }) => change as unknown as Change);
  const head = chain.ledger.position.headNumber;
  t.equal(head, 120);
  const expected = chain.ledger.block(head)!.seq;
  t.ok(expected > 0);
  let count = -1;
  await all.until((subscriber) => {
    const before = count;
    count = changesOf(subscriber).length;
    return count > 50 && count === before;
  });
  const values = new Map<string, string>();
  const problems = changesOf(all).filter(({ kind, address, before, after }) => {
    if (kind !== 'BALANCE') return false;
    const known = values.get(address);
    values.set(address, after);
    return known !== undefined && known !== before;
  });
  t.same(problems, [], 'each change starts with the balance after the previous change');
  const selected = changesOf(all).filter(({ kind }) => /STAKE$/.test(kind));
  await stakes.until((subscriber) => changesOf(subscriber).length >= selected.length);
  t.same(changesOf(stakes), selected);
  const cursor = all.events('accountChanges')[9]?.['cursor'];
  const again = new Subscriber(port, query('{}'), { after: cursor });
  await again.until((subscriber) => changesOf(subscriber).length >= count - 10);
  t.same(changesOf(again), changesOf(all).slice(10));
  await Promise.all([all.close(), stakes.close(), again.close()]);
});
