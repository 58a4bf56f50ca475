import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Advertiser } from '../../../../src/p2p/inventory/advertiser.js';
import { MessageRouter, type RouterParts } from '../../../../src/p2p/message-router.js';
import { PeerSlices } from '../../../../src/p2p/peer-slices.js';
import { IdleClock } from '../../../../src/p2p/peers/idle-clock.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { decodeItems, encodeItems, type ItemKind } from '../../../../src/p2p/wire/messages.js';
import { type FakePeer, fakePeer, observer, older, setOf } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const IDS = 25_000;
const ids = Array.from({ length: IDS }, (_, at) => (at + 10).toString(16).padStart(16, '0').padEnd(64, '7'));
/**
 * Maximum number of ids that one slice may process. Each check of the clock advances the clock by 1 ms. So a slice of 5
 * ms ends after a few portions of 128 ids.
 */
const ENTRIES_OF_A_TURN = 10 * 128;

function routerOf(t: Test, peer: FakePeer): MessageRouter {
  const peers = setOf([peer]);
  const now = (): number => 0;
  let readings = 0;
  const waitClock = new IdleClock(now);
  const turns = new PeerSlices({ waitClock, clock: () => readings++ });
  const advertiser = new Advertiser({ peers, seenLifeMs: 60_000, isRelay: false, fetching: () => {}, now });
  t.teardown(() => advertiser.close());
  const chain = { head: { number: 5 }, solidified: { number: 3 } };
  const parts = {
    ...{ chain, peers, advertiser, release: older, transactionsMax: 1_000_000, now },
    ...{ waitClock, turns, observer, log: silentLog, intake: { isBusy: false } },
  };
  return new MessageRouter(parts as unknown as RouterParts);
}

function requestsOf({ sent }: FakePeer): string[] {
  const questions = sent.filter(([type]) => type === WireMessageType.FETCH_INV_DATA);
  return questions.flatMap((bytes) => decodeItems(bytes.subarray(1)).ids);
}

for (const kind of ['block', 'transaction'] as const satisfies readonly ItemKind[]) {
  t.test(`stores a long list of ${kind} ids in parts and requests it at its end`, async (t) => {
    const peer = fakePeer({ release: older });
    const handled = routerOf(t, peer).take(peer.peer, encodeItems('INVENTORY', { kind, ids }));
    t.ok(handled instanceof Promise, 'the connection is not read until the list is stored');
    const sizes: number[] = [];
    let isDone = false;
    void (handled as Promise<void>).then(() => {
      isDone = true;
    });
    while (!isDone) {
      sizes.push(peer.peer.received.size);
      if (peer.peer.received.size < 20_000) t.same(requestsOf(peer), []);
      await turn();
    }
    const steps = sizes.map((size, at) => size - (sizes[at - 1] ?? 0));
    t.ok(Math.max(...steps) <= ENTRIES_OF_A_TURN, 'a turn handles a bounded number of ids');
    t.equal(peer.peer.received.size, 20_000, 'the maximum number of stored ids per peer');
    if (kind === 'block')
      t.equal(requestsOf(peer).length, 1, 'one request is outstanding and the other ids are queued');
  });
}

t.test('stores a short list at once', async (t) => {
  const peer = fakePeer({ release: older });
  const message = encodeItems('INVENTORY', { kind: 'block', ids: ids.slice(0, 100) });
  t.equal(routerOf(t, peer).take(peer.peer, message), undefined);
  t.same(requestsOf(peer), ids.slice(0, 1));
});

t.test('stops storing a list after the peer disconnects', async (t) => {
  const peer = fakePeer({ release: older });
  const handled = routerOf(t, peer).take(peer.peer, encodeItems('INVENTORY', { kind: 'block', ids }));
  await turn();
  peer.peer.channel.close();
  await handled;
  t.ok(peer.peer.received.size < 20_000);
  t.same(requestsOf(peer), []);
});
