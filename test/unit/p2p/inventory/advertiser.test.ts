import t from 'tap';
import { Advertiser } from '../../../../src/p2p/inventory/advertiser.js';
import { ANNOUNCED_MAX, AnnouncedItems } from '../../../../src/p2p/inventory/announced-items.js';
import { type Item, itemKey, type Peer } from '../../../../src/p2p/peers/peer.js';
import type { PeerSet } from '../../../../src/p2p/peers/peer-set.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';
import { until } from '../../../support/until.js';

/** A peer with only the members that the advertiser uses. It stores the messages that are sent. */
class FakePeer {
  readonly itemRequests = new Map<string, number>();
  readonly sent: Uint8Array[] = [];
  private readonly announced = new Set<string>();
  readonly received = { has: (key: string): boolean => this.announced.has(key) };

  get isIdle(): boolean {
    return this.itemRequests.size === 0;
  }

  get asPeer(): Peer {
    return this as unknown as Peer;
  }

  send(message: Uint8Array): void {
    this.sent.push(message);
  }

  announce(advertiser: Advertiser, kind: Item['kind'], ids: readonly string[]): void {
    for (const id of ids) this.announced.add(itemKey({ kind, id }));
    Array.from(advertiser.announced(this.asPeer, kind, ids));
  }

  /** All ids that the advertiser has requested from the peer. */
  get requests(): readonly string[] {
    return this.sent.flatMap((message) => decodeItems(message.subarray(1)).ids);
  }
}

function idsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => (first + at).toString(16).padStart(64, '0'));
}

const blocks = (first: number, count: number): Item[] => idsFrom(first, count).map((id) => ({ kind: 'block', id }));

function network(peers: readonly FakePeer[]): Advertiser {
  const active = (): readonly Peer[] => peers.map(({ asPeer }) => asPeer);
  return new Advertiser({
    peers: { active, inSync: active } as unknown as PeerSet,
    seenLifeMs: 60_000,
    isRelay: false,
    fetching: () => undefined,
    now: () => 0,
  });
}

t.test('sends a peer at most one request of the maximum size at a time', async (t) => {
  const peers = Array.from({ length: 5 }, () => new FakePeer());
  const advertiser = network(peers);
  t.teardown(() => advertiser.close());
  peers[0]!.announce(advertiser, 'transaction', idsFrom(1, 5000));
  await until('a request', () => peers[0]!.requests.length > 0);
  t.same(
    peers.map(({ requests }) => requests.length),
    [1000, 0, 0, 0, 0],
  );
});

// Reference: AdvService.addInv. The method requests a block before it checks the next id.
t.test('requests the second block of an announcement after the first', async (t) => {
  const [peer, other] = [new FakePeer(), new FakePeer()];
  const advertiser = network([peer, other]);
  t.teardown(() => advertiser.close());
  const [first, second] = idsFrom(1, 2);
  peer.announce(advertiser, 'block', [first!, second!]);
  t.same(peer.requests, [first]);
  peer.itemRequests.clear();
  await until('a request for the second block', () => peer.requests.length === 2);
  t.same(peer.requests, [first, second]);
});

t.test('requests a valid block after a flood of unknown ones', async (t) => {
  const [bad, good] = [new FakePeer(), new FakePeer()];
  const advertiser = network([bad, good]);
  for (let round = 0; round < 5; round++) bad.announce(advertiser, 'block', idsFrom(1 + round * 10_000, 10_000));
  good.announce(advertiser, 'block', idsFrom(1_000_000, 1));
  advertiser.close();
  t.same(good.requests, idsFrom(1_000_000, 1));
});

t.test('distributes the remaining requests among the announcing peers', async (t) => {
  const [first, second] = [new FakePeer(), new FakePeer()];
  const advertiser = network([first, second]);
  t.teardown(() => advertiser.close());
  const ids = idsFrom(1, 3000);
  first.announce(advertiser, 'transaction', ids);
  second.announce(advertiser, 'transaction', ids);
  await until('two full requests', () => first.requests.length + second.requests.length === 2000);
  t.same(
    [first.requests.length, second.requests.length],
    [1000, 1000],
    'both peers receive the same number of requests',
  );
  first.itemRequests.clear();
  await until('the rest', () => first.requests.length === 2000);
  t.same(new Set([...first.requests, ...second.requests]), new Set(ids), 'each id is requested once');
});

t.test('requests items of a disconnected peer from another one', async (t) => {
  const [first, second] = [new FakePeer(), new FakePeer()];
  const left = [first, second];
  const advertiser = network(left);
  first.announce(advertiser, 'block', idsFrom(1, 10));
  second.announce(advertiser, 'block', idsFrom(1, 10));
  t.same(second.requests, []);
  left.shift();
  advertiser.peerDisconnected(first.asPeer);
  advertiser.close();
  t.same([...second.requests].sort(), idsFrom(1, 10));
});

t.test('does not request items of an unknown type', async (t) => {
  const peer = new FakePeer();
  const advertiser = network([peer]);
  advertiser.wantUnknown(peer.asPeer, idsFrom(1, 3));
  advertiser.close();
  t.same(peer.sent, []);
  t.equal(peer.isIdle, false, 'the peer has an outstanding request, so that it is disconnected after the time limit');
});

t.test('bounds the queue and evicts items of the peer that filled it', async (t) => {
  const forgotten: string[] = [];
  const items = new AnnouncedItems((key) => forgotten.push(key));
  const [bad, good] = [new FakePeer().asPeer, new FakePeer().asPeer];
  items.add(blocks(1, 100), [good], 0);
  const flood = blocks(1000, 200_000);
  const started = process.cpuUsage();
  items.add(flood, [bad], 1);
  const ms = process.cpuUsage(started).user / 1000;
  t.equal(items.size, ANNOUNCED_MAX);
  t.equal([...items.of(good)].length, 100, 'the items of the other peer are unchanged');
  t.equal(forgotten.length, 200_100 - ANNOUNCED_MAX);
  t.equal([...items.of(bad)].at(-1)?.id, idsFrom(200_999, 1)[0], 'the newest item is kept');
  t.ok(ms < 5000, `linear work: ${Math.round(ms)} ms of CPU time`);
  items.expire(1);
  t.equal(items.size, ANNOUNCED_MAX - 100, 'the oldest items expire');
  items.dropPeer(bad);
  t.equal(items.size, 0);
});
