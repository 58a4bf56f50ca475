import { mock } from 'node:test';
import t from 'tap';
import { PeerMetrics } from '../../../../src/node/peers/peer-metrics.js';
import { IdCache } from '../../../../src/p2p/id-cache.js';
import { Advertiser } from '../../../../src/p2p/inventory/advertiser.js';
import { Peer } from '../../../../src/p2p/peers/peer.js';
import { PeerSet } from '../../../../src/p2p/peers/peer-set.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import type { Channel } from '../../../../src/p2p/transport/channel.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';

const observer = new PeerMetrics({ hasMeters: false, now: () => 0 });
let time = 1_000_000;
const now = (): number => time;

/** Returns a peer whose channel only stores the sent messages, and these messages. */
function peerOf(): { peer: Peer; sent: Uint8Array[] } {
  const sent: Uint8Array[] = [];
  const channel = { key: 'peer', isClosed: false, latencyMs: 0, send: (bytes: Uint8Array) => sent.push(bytes) };
  const genesis = { hex: '00'.repeat(32), number: 0 };
  // Contains only the parts of a channel that a peer in sync uses.
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

t.test('requests announced ids from peers in turn, and from another after a disconnect', async (t) => {
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
  for (const { peer } of [a, b]) Array.from(advertiser.announced(peer, 'block', [id]));
  t.equal(a.sent.length + b.sent.length, 1, 'requested once');
  const [first, second] = a.sent.length === 1 ? [a, b] : [b, a];
  t.same(decodeItems(first.sent[0]!.subarray(1)), { kind: 'block', ids: [id] });
  peers.remove(first.peer.channel);
  advertiser.peerDisconnected(first.peer);
  t.equal(second.sent.length, 1, 'requested from the other peer');
});

// Reference: AdvService.init. It announces every 30 ms, with or without peers.
t.test('announces a queued block as soon as a peer connects', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const peers = new PeerSet();
  const { peer, sent } = peerOf();
  const advertiser = new Advertiser({ peers, seenLifeMs: 60_000, isRelay: false, fetching: () => undefined, now });
  t.teardown(() => advertiser.close());
  advertiser.announceBlock('0a'.repeat(32), new Uint8Array(2));
  mock.timers.tick(30);
  peers.add(peer);
  advertiser.peerConnected();
  peer.needsSyncFromPeer = false;
  peer.needsSyncFromUs = false;
  t.equal(sent.length, 0);
  mock.timers.tick(30);
  t.equal(sent.length, 1, 'announced without the delay of a second that applies without peers');
  t.end();
});

// Reference: AdvService.broadcast. Release 4.7.2 removes the ids of the block's transactions from the wrong map, so
// they stay in the queue. Release 4.8.2 does not try to remove them.
t.test('announces a queued transaction even if a block contains it', async (t) => {
  const peers = new PeerSet();
  const { peer, sent } = peerOf();
  peer.needsSyncFromPeer = false;
  peer.needsSyncFromUs = false;
  peers.add(peer);
  const advertiser = new Advertiser({ peers, seenLifeMs: 60_000, isRelay: false, fetching: () => undefined, now });
  t.teardown(() => advertiser.close());
  const [block, transaction] = ['0a'.repeat(32), 'cf'.repeat(32)];
  advertiser.announceTransaction(transaction, new Uint8Array(1));
  advertiser.announceBlock(block, new Uint8Array(2));
  advertiser.executedBlock([[transaction, new Uint8Array(1)]]);
  t.same(
    sent.map((message) => decodeItems(message.subarray(1))),
    [
      { kind: 'block', ids: [block] },
      { kind: 'transaction', ids: [transaction] },
    ],
  );
});

t.test('since 4.8.2, does not request an item from a peer that announced it long ago', async (t) => {
  const id = 'ce'.repeat(32);
  const requestedAfter = (ms: number, announcementMs: number | undefined): number => {
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
    advertiser.peerDisconnected(a.peer);
    advertiser.close();
    return b.sent.length;
  };
  const { announcementMs } = peerRelease('4.8.2');
  t.same([requestedAfter(14_999, announcementMs), requestedAfter(15_000, announcementMs)], [1, 0]);
  t.equal(requestedAfter(15_000, peerRelease('4.7.2').announcementMs), 1);
});

t.test('expires stored announcements by age', async (t) => {
  const cache = new IdCache({ entriesMax: 2, lifeMs: 10, now });
  const [known, other] = ['a'.repeat(64), 'b'.repeat(64)];
  cache.add(known);
  time += 9;
  t.same([cache.ageOf(known), cache.ageOf(other)], [9, undefined]);
  time += 1;
  t.equal(cache.ageOf(known), undefined);
});
