import { setTimeout as sleep } from 'node:timers/promises';
import { type Transaction, TransactionRaw } from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { secp256k1 } from '../../../../src/crypto/secp256k1.js';
import { wrapMessage } from '../../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { encodeKeepAlive } from '../../../../src/p2p/transport/framework-message.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { present } from '../../../../src/primitives/assert.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';
import { payer, transfer } from '../../../support/peers/transfer.js';
import { type Act, join, type Standing } from '../act.js';
import { keyOf, makeBlock, unknownId } from '../made-block.js';
import { saidId, sayBlock, sayItems, saySummary, sayTransactions } from '../said.js';
import type { Stage } from '../stage.js';
import { idOf } from './announcements.js';

type Burst = readonly [standing: Standing, say: (stage: Stage) => Promise<void>];

function some<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function idAt({ nodes }: Stage, number: number): Uint8Array {
  return nodes.ours.node.chain.ledger.blockIdAt(number) ?? unknownId(number);
}

/** Returns `count` transfers that all differ. */
function transfers({ random, nodes }: Stage, count: number): Transaction[] {
  const first = BigInt(1 + random.below(1_000_000_000));
  return some(count, (at) => transfer(nodes.ours, first + BigInt(at)));
}

/** Returns a transfer with a memo of `bytes` bytes. */
function longTransfer({ random, nodes }: Stage, bytes: number): Transaction {
  const made = transfer(nodes.ours, BigInt(1 + random.below(1_000_000_000)));
  const raw = present(made.rawData, 'a transfer has raw data');
  raw.data = new Uint8Array(bytes).fill(random.below(256));
  const { signature, recid } = secp256k1.sign(
    sha256(TransactionRaw.encode(raw)),
    keyOf(toAddress(present(payer, 'the transfer has a payer'))),
  );
  made.signature = [concatBytes(signature, Uint8Array.of(recid))];
  return made;
}

/** Returns a message of an unknown type that compression does not shorten. */
function unshrinkable({ random }: Stage, bytes: number): Uint8Array {
  const made = new Uint8Array(bytes);
  let state = random.below(2 ** 31) + 1;
  for (let at = 0; at < bytes; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    made[at] = state >>> 24;
  }
  made[0] = 0x55;
  return made;
}

/** Bursts of many messages of one kind, by name. The number of messages is near a limit of a java-tron release. */
const bursts: Readonly<Record<string, Burst>> = {
  summaries: [
    'behind',
    async (stage) => {
      const summary = saySummary([saidId(idAt(stage, 0))]);
      await stage.say(
        'a',
        'summaries',
        some(stage.random.between(2, 8), () => summary),
      );
    },
  ],
  'requests for blocks': [
    'behind',
    async (stage) => {
      await stage.say('a', 'a summary', [saySummary([saidId(idAt(stage, 0))])]);
      if (!stage.isThere('a')) return;
      const count = stage.random.between(2, 7);
      const questions = some(count, (at) => sayItems('FETCH_INV_DATA', 1, [idAt(stage, at + 1)]));
      await stage.say('a', `${count} requests`, questions);
    },
  ],
  'long requests for blocks': [
    'behind',
    async (stage) => {
      await stage.say('a', 'a summary', [saySummary([saidId(idAt(stage, 0))])]);
      if (!stage.isThere('a')) return;
      const count = stage.random.pick([99, 100, 101, 150]);
      await stage.say('a', `a request for ${count} blocks`, [
        sayItems(
          'FETCH_INV_DATA',
          1,
          some(count, (at) => idAt(stage, at + 1)),
        ),
      ]);
    },
  ],
  'announcements of blocks': [
    'in sync',
    async (stage) => {
      const { headNumber } = stage.nodes.ours;
      const lists = some(stage.random.between(1, 4), (list) =>
        sayItems(
          'INVENTORY',
          1,
          some(stage.random.pick([1, 30, 50, 60]), (at) =>
            unknownId(headNumber + 1 + at, 16 * list + stage.random.below(16)),
          ),
        ),
      );
      await stage.say('a', 'many blocks', lists);
      await join(stage, 'b');
      const ids = some(stage.random.pick([99, 100, 101, 140]), (at) => unknownId(headNumber + 1 + at, 0xdd));
      await stage.say('b', `${ids.length} blocks`, [sayItems('INVENTORY', 1, ids)]);
    },
  ],
  'announcements of transactions': [
    'in sync',
    async (stage) => {
      for (let times = stage.random.between(2, 5); times > 0 && stage.isThere('a'); times--) {
        const list = transfers(stage, stage.random.pick([1, 10, 25]));
        await stage.say('a', `announces ${list.length} transactions`, [sayItems('INVENTORY', 0, list.map(idOf))]);
        if (stage.isThere('a') && stage.framesOf('a').length > 0)
          await stage.say('a', 'sends them', [sayTransactions(list)], { quietMs: 250 });
      }
    },
  ],
  'many transactions': [
    'in sync',
    async (stage) => {
      const list = transfers(stage, stage.random.pick([60, 150]));
      await stage.say('a', `announces ${list.length} transactions`, [sayItems('INVENTORY', 0, list.map(idOf))]);
      if (stage.isThere('a'))
        await stage.say('a', 'sends them', [sayTransactions(list)], { quietMs: 800, timeoutMs: 15_000 });
      // The nodes announce the newest transaction in the next round. Waits until then, so that a connected peer
      // receives it.
      await stage.compareNodes();
      await sleep(200);
    },
  ],
  goodbyes: [
    'in sync',
    async (stage) => {
      await stage.say(
        'a',
        'goodbyes',
        some(stage.random.between(1, 5), () => Uint8Array.of(0x21, 8, 2)),
      );
    },
  ],
  'keep-alive pings': [
    'in sync',
    async (stage) => {
      const ping = encodeFrame(...wrapMessage(encodeKeepAlive('ping', Date.now())));
      await stage.write('a', 'a thousand pings', Buffer.concat(some(1000, () => ping)), { timeoutMs: 10_000 });
    },
  ],
  pings: [
    'in sync',
    async (stage) => {
      await stage.say(
        'a',
        'many pings',
        some(stage.random.pick([10, 500]), () => encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
      );
    },
  ],
  'a long transaction': [
    'in sync',
    async (stage) => {
      const bytes = stage.random.pick([400_000, 499_700, 500_000, 512_000, 600_000, 1_000_000]);
      const made = longTransfer(stage, bytes);
      await stage.say('a', `announces a transaction of ${bytes} bytes`, [sayItems('INVENTORY', 0, [idOf(made)])]);
      if (stage.isThere('a')) await stage.say('a', 'sends it', [sayTransactions([made])], { quietMs: 400 });
    },
  ],
  'a long block': [
    'in sync',
    async (stage) => {
      const { nodes, random } = stage;
      const { recent, ledger } = nodes.ours.node.chain;
      const long = longTransfer(stage, random.pick([1_000_000, 1_999_000, 2_000_400, 2_001_000, 3_000_000]));
      const block = makeBlock(nodes.ours, {
        parentId: ledger.position.headId,
        timeMs: recent.head.timeMs + 3000 * random.between(1, 9),
        transactions: [long],
      });
      await stage.say('a', `announces a block of ${block.bytes.length} bytes`, [sayItems('INVENTORY', 1, [block.id])]);
      if (stage.isThere('a')) await stage.say('a', 'sends it', [sayBlock(block.bytes)], { quietMs: 500 });
    },
  ],
  'a message of the maximum size': [
    'in sync',
    async (stage) => {
      const bytes = stage.random.pick([4_000_000, 5_000_000, 5 * 1024 * 1024 - 20, 5 * 1024 * 1024 + 20]);
      const frame = encodeFrame(...wrapMessage(unshrinkable(stage, bytes)));
      await stage.write('a', `a frame of ${bytes} bytes`, frame, { isPinged: true, quietMs: 400 });
    },
  ],
};

export const floods: Act = async (stage) => {
  const [name, [standing, say]] = stage.random.pick(Object.entries(bursts));
  stage.story.push(name);
  await join(stage, 'a', standing);
  if (stage.isThere('a')) await say(stage);
};
