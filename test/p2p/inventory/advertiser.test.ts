import t from 'tap';
import { Advertiser } from '../../../src/p2p/inventory/advertiser.js';
import { type Item, itemKey, type Peer } from '../../../src/p2p/peers/peer.js';
import type { PeerSet } from '../../../src/p2p/peers/peer-set.js';
import { decodeItems } from '../../../src/p2p/wire/messages.js';

/** What asking looks at of a peer; each look at what it announced is counted. */
class FakePeer {
  readonly itemRequests = new Map<string, number>();
  readonly sent: Uint8Array[] = [];
  looks = 0;
  private readonly announced = new Set<string>();
  readonly received = {
    has: (key: string): boolean => {
      this.looks++;
      return this.announced.has(key);
    },
  };

  get isIdle(): boolean {
    return this.itemRequests.size === 0;
  }

  send(message: Uint8Array): void {
    this.sent.push(message);
  }

  announce(advertiser: Advertiser, kind: Item['kind'], ids: readonly string[]): void {
    for (const id of ids) this.announced.add(itemKey({ kind, id }));
    advertiser.want(kind, ids);
  }
}

function idsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => (first + at).toString(16).padStart(64, '0'));
}

function network(peers: readonly FakePeer[]): Advertiser {
  const active = (): readonly Peer[] => peers as unknown as readonly Peer[];
  return new Advertiser({
    peers: { active, inSync: active } as unknown as PeerSet,
    seenLifeMs: 60_000,
    isRelay: false,
    fetching: () => undefined,
    now: () => 0,
  });
}

t.test('a message of many unknown blocks is looked at once', async (t) => {
  const looks = (count: number): number => {
    const peers = Array.from({ length: 5 }, () => new FakePeer());
    const advertiser = network(peers);
    peers[0]!.announce(advertiser, 'block', idsFrom(1, count));
    advertiser.close();
    return peers.reduce((sum, peer) => sum + peer.looks, 0);
  };
  const few = looks(500);
  t.ok(few >= 500 * 5, 'each peer is asked for each');
  t.ok(looks(5000) <= 10 * few, `ten times the ids: ${looks(5000)} looks, ${few} before`);
});

t.test('an honest block is asked for behind a flood of unknown ones', async (t) => {
  const [bad, good] = [new FakePeer(), new FakePeer()];
  const advertiser = network([bad, good]);
  for (let round = 0; round < 5; round++) bad.announce(advertiser, 'block', idsFrom(1 + round * 10_000, 10_000));
  const looksBefore = good.looks;
  good.announce(advertiser, 'block', idsFrom(1_000_000, 1));
  advertiser.close();
  t.equal(good.sent.length, 1);
  t.same(decodeItems(good.sent[0]!.subarray(1)), { kind: 'block', ids: idsFrom(1_000_000, 1) });
  t.equal(good.looks - looksBefore, 1, 'what waits besides is not looked at');
});
