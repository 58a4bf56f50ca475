import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Inventory } from '../../../src/log/codec/generated/messages.js';
import { concatBytes, fromHex } from '../../../src/log/domain/bytes.js';
import { Advertiser } from '../../../src/p2p/inventory/advertiser.js';
import { MessageRouter, type RouterParts } from '../../../src/p2p/message-router.js';
import { Patience } from '../../../src/p2p/peers/patience.js';
import { MessageType } from '../../../src/p2p/wire/message-types.js';
import { decodeItems, encodeItems, type ItemKind } from '../../../src/p2p/wire/messages.js';
import { type FakePeer, fakePeer, observer, older, setOf } from '../support/fake-peer.js';
import { silentLog } from '../support/silent-log.js';

const IDS = 25_000;
const ids = Array.from({ length: IDS }, (_, at) => (at + 10).toString(16).padStart(16, '0').padEnd(64, '7'));

function routerOf(t: Test, peer: FakePeer): MessageRouter {
  const peers = setOf([peer]);
  const now = (): number => 0;
  const advertiser = new Advertiser({ peers, seenLifeMs: 60_000, isRelay: false, fetching: () => {}, now });
  t.teardown(() => advertiser.close());
  const chain = { head: { number: 5 }, solidified: { number: 3 } };
  const parts = {
    ...{ chain, peers, advertiser, release: older, transactionsMax: 1_000_000, now },
    ...{ patience: new Patience(now), observer, log: silentLog, intake: { isBusy: false } },
  };
  return new MessageRouter(parts as unknown as RouterParts);
}

function asked({ sent }: FakePeer): string[] {
  const questions = sent.filter(([type]) => type === MessageType.FETCH_INV_DATA);
  return questions.flatMap((bytes) => [...decodeItems(bytes.subarray(1)).ids]);
}

for (const kind of ['block', 'transaction'] as const satisfies readonly ItemKind[]) {
  t.test(`a long list of ${kind} ids is noted a part at a time, and asked for at its end`, async (t) => {
    const peer = fakePeer({ release: older });
    const handled = routerOf(t, peer).take(peer.peer, encodeItems('INVENTORY', { kind, ids }));
    t.ok(handled instanceof Promise, 'its socket waits for it');
    const sizes: number[] = [];
    let isDone = false;
    void (handled as Promise<void>).then(() => {
      isDone = true;
    });
    while (!isDone) {
      sizes.push(peer.peer.received.size);
      t.same(asked(peer), []);
      await turn();
    }
    const steps = sizes.map((size, at) => size - (sizes[at - 1] ?? 0));
    t.ok(Math.max(...steps) <= 250, 'other work comes in between');
    t.equal(peer.peer.received.size, 20_000, 'what is kept of a peer at most');
    if (kind === 'block') t.equal(asked(peer).length, 1000, 'a question holds that many');
  });
}

t.test('a short list is noted at once', async (t) => {
  const peer = fakePeer({ release: older });
  const message = encodeItems('INVENTORY', { kind: 'block', ids: ids.slice(0, 250) });
  t.equal(routerOf(t, peer).take(peer.peer, message), undefined);
  t.same(asked(peer), ids.slice(0, 250));
});

t.test('a peer that goes in the middle of its list is noted no further', async (t) => {
  const peer = fakePeer({ release: older });
  const handled = routerOf(t, peer).take(peer.peer, encodeItems('INVENTORY', { kind: 'block', ids }));
  await turn();
  peer.peer.channel.close();
  await handled;
  t.ok(peer.peer.received.size < 20_000);
  t.same(asked(peer), []);
});

t.test('ids of a message are read where they are, whatever stands between them', async (t) => {
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const plain = Inventory.encode(Object.assign(new Inventory(), { type: 1, ids: [a, b] }));
  const unknown = Uint8Array.of(0x78, 0x05);
  const readable = [plain, concatBytes(plain, unknown), concatBytes(unknown, plain)];
  for (const body of readable) {
    const { kind, ids } = decodeItems(body);
    t.same([kind, ...ids], ['block', '01'.repeat(32), '02'.repeat(32)]);
    t.same([ids.length, ids.at(1), ids.slice(1, 9)], [2, '02'.repeat(32), ['02'.repeat(32)]]);
  }
  const numbered = decodeItems(concatBytes(Uint8Array.of(0x12, 32), fromHex(ids[7]!))).ids;
  t.equal(numbered.numberAt(0), 17);
  t.equal(decodeItems(concatBytes(Uint8Array.of(0x12, 32, 0xff), new Uint8Array(31))).ids.numberAt(0), -(2 ** 56));
  t.throws(() => decodeItems(Uint8Array.of(0x12, 2, 1, 1)), { code: 'PARSE_MESSAGE_FAILED' });
  t.throws(() => decodeItems(plain.subarray(0, -1)), { code: 'PROTOBUF_ERROR' });
});
