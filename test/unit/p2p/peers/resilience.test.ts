import { mock } from 'node:test';
import t from 'tap';
import { Resilience, type ResilienceOptions } from '../../../../src/p2p/peers/resilience.js';
import { endOf, type FakeOptions, type FakePeer, fakePeer, setOf } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const MINUTE_MS = 60_000;
const NOW = 10_000_000;
const places = {
  minConnections: 3,
  minActiveConnections: 2,
  maxConnections: 5,
  maxConnectionsWithSameIp: 2,
  evictsWhenFull: true,
};

interface Made extends FakeOptions {
  /** Time in ms since the peer was last useful. */
  readonly idleMs?: number;
  readonly blockMs?: number;
}

function made(options: Made): FakePeer {
  const fake = fakePeer({ now: () => NOW, ...options });
  fake.peer.usefulMs = NOW - (options.idleMs ?? 0);
  fake.peer.blockReceivedMs = NOW - (options.blockMs ?? 0);
  return fake;
}

function over(peers: readonly FakePeer[], options: Partial<ResilienceOptions> = {}): Resilience {
  return new Resilience({
    peers: setOf(peers),
    limits: places,
    idleMs: 10 * MINUTE_MS,
    savedMs: () => NOW,
    log: silentLog,
    now: () => NOW,
    random: () => 0,
    ...options,
  });
}

const ends = (peers: readonly FakePeer[]): readonly (string | undefined)[] => peers.map(endOf);
const times = (count: number, options: (at: number) => Made): FakePeer[] =>
  Array.from({ length: count }, (_, at) => made(options(at)));

t.test('when full, evicts a peer of the half with the oldest blocks, more often an idle one', async (t) => {
  // The weights of the two candidates for eviction are 1 for peer 0, and 1000 ms / 500 ms = 2 for peer 1.
  const make = (): FakePeer[] => times(5, (at) => ({ blockMs: 5 - at, idleMs: at === 1 ? 1000 : 0 }));
  for (const [random, evicted] of [
    [0, 0],
    [0.34, 1],
    [0.99, 1],
  ] as const) {
    const peers = make();
    over(peers, { random: () => random }).evictWhenFull();
    const expected = peers.map((_, at) => (at === evicted ? 'RANDOM_ELIMINATION' : undefined));
    t.same(ends(peers), expected, `${random}`);
  }
  const few = times(4, () => ({}));
  over(few).evictWhenFull();
  t.same(ends(few), [undefined, undefined, undefined, undefined], 'a connection is free');
});

t.test('with fewer than three synced peers, evicts a peer that is syncing', async (t) => {
  const peers = [...times(2, () => ({ blockMs: 9 })), ...times(3, () => ({ isInSync: false }))];
  over(peers, { random: () => 0.5 }).evictWhenFull();
  t.same(ends(peers), [undefined, undefined, undefined, 'RANDOM_ELIMINATION', undefined]);
  const source = [...times(2, () => ({})), ...times(2, () => ({ isTrusted: true })), made({ isInSync: false })];
  source[4]!.peer.needsSyncFromUs = false;
  over(source).evictWhenFull();
  t.same(ends(source), [undefined, undefined, undefined, undefined, undefined], 'the only peer to sync from is kept');
});

t.test('evicts the most idle peer after ten minutes if no peer dials this node', async (t) => {
  const idle = (minutes: readonly number[], isActive = true): FakePeer[] =>
    minutes.map((count) => made({ isActive, idleMs: count * MINUTE_MS }));
  const some = idle([1, 12, 11]);
  over(some).evictOnLan();
  t.same(ends(some), [undefined, 'BAD_PROTOCOL', undefined]);
  const busy = idle([1, 9, 8]);
  over(busy).evictOnLan();
  t.same(ends(busy), [undefined, undefined, undefined], 'no peer was idle for ten minutes');
  const dialled = [...idle([12, 11]), ...idle([12], false)];
  over(dialled).evictOnLan();
  t.same(ends(dialled), [undefined, undefined, undefined], 'one of the peers dialled this node');
  const two = idle([12, 11]);
  over(two).evictOnLan();
  t.same(ends(two), [undefined, undefined], 'two peers are too few for a disconnect');
});

t.test('evicts the oldest dialled peer and those above 80 % after a minute without a block', async (t) => {
  const make = (): FakePeer[] => [
    made({ isActive: true, idleMs: 5 }),
    made({ isActive: true, idleMs: 9 }),
    ...times(5, (at) => ({ idleMs: at, isTrusted: at === 4 })),
  ];
  const cut = make();
  over(cut, { savedMs: () => NOW - MINUTE_MS }).evictWhenIsolated();
  // The node keeps four of the remaining six peers, which are 80 % of the limit of five connections.
  const reason = 'BAD_PROTOCOL';
  t.same(ends(cut), [undefined, reason, undefined, undefined, reason, reason, undefined]);
  const fine = make();
  over(fine, { savedMs: () => NOW - MINUTE_MS + 1 }).evictWhenIsolated();
  t.same(new Set(ends(fine)), new Set([undefined]), 'a block arrived within the minute');
  const alone = times(6, () => ({ isInSync: false }));
  over(alone, { savedMs: () => 0 }).evictWhenIsolated();
  t.same(new Set(ends(alone)), new Set([undefined]), 'no peer is in sync');
});

t.test(
  'runs the first check after five minutes, and evicts a peer of a full node only if the option is set',
  async (t) => {
    for (const evictsWhenFull of [true, false]) {
      mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
      const peers = times(5, (at) => ({ blockMs: 5 - at }));
      const resilience = over(peers, { limits: { ...places, evictsWhenFull } });
      const evictions = (): number => ends(peers).filter((end) => end === 'RANDOM_ELIMINATION').length;
      resilience.start();
      mock.timers.tick(299_999);
      t.equal(evictions(), 0);
      mock.timers.tick(1);
      t.equal(evictions(), evictsWhenFull ? 1 : 0);
      resilience.close();
      mock.timers.reset();
    }
  },
);
