import t from 'tap';
import { ANNOUNCED_MAX, AnnouncedItems } from '../../../../src/p2p/inventory/announced-items.js';
import { fakePeer } from '../../../support/p2p/fake-peer.js';

const item = (id: string) => ({ kind: 'transaction', id }) as const;
const items = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => item(`${prefix}${at}`));

function newItems() {
  const forgotten: string[] = [];
  return {
    list: new AnnouncedItems((key) => forgotten.push(key)),
    forgotten,
    a: fakePeer().peer,
    b: fakePeer({ host: '2' }).peer,
  };
}

t.test('queues an item for each announcing peer and requests it once', async (t) => {
  const { list, a, b } = newItems();
  list.add([item('x'), item('y')], [a], 5);
  list.alsoFrom('x', b);
  list.alsoFrom('x', b);
  list.alsoFrom('unknown', b);
  t.same([[...list.of(a)].map(({ id }) => id), [...list.of(b)].map(({ id }) => id)], [['x', 'y'], ['x']]);
  list.delete('x');
  t.same([list.size, [...list.of(b)]], [1, []]);
});

t.test('deletes items that only a disconnected peer announced', async (t) => {
  const { list, forgotten, a, b } = newItems();
  list.add([item('x'), item('y')], [a], 5);
  list.alsoFrom('x', b);
  list.dropPeer(a);
  t.same([forgotten, list.size, [...list.of(a)]], [['y'], 1, []]);
});

t.test('expires items after their time limit', async (t) => {
  const { list, forgotten, a } = newItems();
  list.add([item('x')], [a], 5);
  list.add([item('y')], [a], 9);
  list.expire(9);
  t.same([forgotten, list.size], [['x'], 1]);
});

t.test('evicts the oldest item of the peer with the most items', async (t) => {
  const { list, forgotten, a, b } = newItems();
  list.add(items('b', 10), [b], 1);
  list.add(items('a', ANNOUNCED_MAX), [a], 2);
  t.equal(list.size, ANNOUNCED_MAX);
  t.same(
    forgotten,
    items('a', 10).map(({ id }) => id),
  );
  t.equal([...list.of(b)].length, 10, 'no item of the peer with few items is evicted');
});
