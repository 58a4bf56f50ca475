import t from 'tap';
import { PeerMetrics } from '../../../../src/node/peers/peer-metrics.js';
import { BoundedCache } from '../../../../src/p2p/bounded-cache.js';
import { IdCache } from '../../../../src/p2p/id-cache.js';
import { Advertiser } from '../../../../src/p2p/inventory/advertiser.js';
import { Patience } from '../../../../src/p2p/peers/patience.js';
import { Peer } from '../../../../src/p2p/peers/peer.js';
import { PeerSet } from '../../../../src/p2p/peers/peer-set.js';
import { RateCounter } from '../../../../src/p2p/peers/rate-counter.js';
import { overdue } from '../../../../src/p2p/peers/status-check.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import { summaryNumbers } from '../../../../src/p2p/sync/chain-summary.js';
import type { Channel } from '../../../../src/p2p/transport/channel.js';
import { blockIdWith } from '../../../../src/p2p/wire/block-id.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';

const observer = new PeerMetrics({ hasMeters: false, now: () => 0 });
let time = 1_000_000;
const now = (): number => time;

/** A peer whose channel only keeps what is sent. */
function peerOf(): { peer: Peer; sent: Uint8Array[] } {
  const sent: Uint8Array[] = [];
  const channel = { key: 'peer', isClosed: false, latencyMs: 0, send: (bytes: Uint8Array) => sent.push(bytes) };
  const genesis = { hex: '00'.repeat(32), number: 0 };
  // The parts of a channel that a peer in sync uses.
  return {
    peer: new Peer(channel as unknown as Channel, {
      genesis,
      release: peerRelease('4.7.2'),
      isRelay: false,
      observer,
      now,
    }),
    sent,
  };
}

t.test('a summary comes closer together towards its end, which is the highest', async (t) => {
  t.same(summaryNumbers(0, 100), [0, 51, 76, 89, 95, 98, 100]);
  t.same(summaryNumbers(7, 7), [7]);
  t.same(summaryNumbers(0, 1), [0, 1]);
});

t.test('an id takes its number from the field beside it', async (t) => {
  const { hex, number } = blockIdWith(Buffer.alloc(32, 0xab), 258n);
  t.equal(hex, `0000000000000102${'ab'.repeat(24)}`);
  t.equal(number, 258);
  t.throws(() => blockIdWith(Buffer.alloc(31), 1n), { code: 'PARSE_MESSAGE_FAILED' });
});

t.test('a cache forgets by number and by time', async (t) => {
  const cache = new BoundedCache<number>({ entriesMax: 2, lifeMs: 10, now });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  t.same([cache.get('a'), cache.get('b'), cache.get('c')], [3, undefined, 4]);
  time += 10;
  t.equal(cache.get('a'), undefined);
});

t.test('counts are of the last seconds', async (t) => {
  const counter = new RateCounter(now);
  counter.add(5);
  time += 9000;
  counter.add(1);
  t.equal(counter.sum(10), 6);
  time += 1000;
  t.equal(counter.sum(10), 1);
  t.equal(counter.sum(60), 6);
  time += 120_000;
  t.equal(counter.sum(60), 0);
});

t.test('time-outs: 30 s without progress, 20 s for an item, 5 s for a block of a sync', async (t) => {
  const { peer } = peerOf();
  const patience = new Patience(now);
  const state = (): string | undefined => overdue(peer, now(), patience.now());
  time += 30_000;
  t.equal(state(), undefined);
  time += 1;
  t.equal(state(), 'no progress');
  peer.needsSyncFromPeer = false;
  peer.itemRequests.set('b', now() - 20_000);
  t.equal(state(), undefined);
  time += 1;
  t.equal(state(), 'item');
  peer.itemRequests.clear();
  peer.syncRequests.set('b', patience.now());
  patience.during(() => {
    time += 60_000;
  });
  time += 5000;
  t.equal(state(), undefined, 'work of this thread is not counted');
  time += 1;
  t.equal(state(), 'sync block');
});

t.test('the 75th percentile of answer times, as the reference takes it', async (t) => {
  const { peer } = peerOf();
  t.equal(peer.blockLatency75, 0);
  for (const ms of [40, 10, 30, 20]) peer.noteBlockLatency(ms);
  t.equal(peer.blockLatency75, 37.5);
});

t.test('announced ids are asked of peers in turn, again of another when one goes', async (t) => {
  const peers = new PeerSet();
  const [a, b] = [peerOf(), peerOf()];
  for (const { peer } of [a, b]) {
    peers.add(peer);
    peer.needsSyncFromPeer = false;
    peer.needsSyncFromUs = false;
  }
  const advertiser = new Advertiser({ peers, seenLifeMs: 60_000, isRelay: false, fetching: () => undefined, now });
  t.teardown(() => advertiser.close());
  const id = 'cd'.repeat(32);
  for (const { peer } of [a, b]) peer.received.add(`b${id}`);
  for (const { peer } of [a, b]) Array.from(advertiser.want(peer, 'block', [id]));
  t.equal(a.sent.length + b.sent.length, 1, 'asked once');
  const [first, second] = a.sent.length === 1 ? [a, b] : [b, a];
  t.same(decodeItems(first.sent[0]!.subarray(1)), { kind: 'block', ids: [id] });
  peers.remove(first.peer.channel);
  advertiser.peerGone(first.peer);
  t.equal(second.sent.length, 1, 'and again of the other');
});

t.test('H17: who announced an item long ago is not asked for it, from 4.8.2 on', async (t) => {
  const id = 'ce'.repeat(32);
  const askedAfter = (ms: number, announcementMs: number | undefined): number => {
    const peers = new PeerSet();
    const [a, b] = [peerOf(), peerOf()];
    for (const { peer } of [a, b]) {
      peers.add(peer);
      peer.received.add(`b${id}`);
    }
    const options = { peers, seenLifeMs: 60_000, isRelay: false, fetching: () => undefined, now };
    const advertiser = new Advertiser({ ...options, announcementMs });
    a.peer.itemRequests.set(`b${id}`, now());
    time += ms;
    peers.remove(a.peer.channel);
    advertiser.peerGone(a.peer);
    advertiser.close();
    return b.sent.length;
  };
  const { announcementMs } = peerRelease('4.8.2');
  t.same([askedAfter(14_999, announcementMs), askedAfter(15_000, announcementMs)], [1, 0]);
  t.equal(askedAfter(15_000, peerRelease('4.7.2').announcementMs), 1);
});

t.test('the age of what is remembered', async (t) => {
  const cache = new IdCache({ entriesMax: 2, lifeMs: 10, now });
  const [known, other] = ['a'.repeat(64), 'b'.repeat(64)];
  cache.add(known);
  time += 9;
  t.same([cache.ageOf(known), cache.ageOf(other)], [9, undefined]);
  time += 1;
  t.equal(cache.ageOf(known), undefined);
});
