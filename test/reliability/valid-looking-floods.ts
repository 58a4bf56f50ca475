import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { encodeKeepAlive } from '../../src/p2p/transport/framework-message.js';
import { WireMessageType } from '../../src/p2p/wire/message-types.js';
import { encodeItems } from '../../src/p2p/wire/messages.js';
import { fromHex, fromInt64, toHex } from '../../src/primitives/bytes.js';
import { NETWORK } from '../support/peers/peer-node.js';
import type { Measurement } from './run.js';
import { endOf } from './support/end-of.js';
import { Endings } from './support/endings.js';
import { FloodedNode, type FloodedState } from './support/flooded-node.js';
import { HostilePeer } from './support/hostile-peer.js';
import { makeBlock, makeVote } from './support/valid-looking.js';

type Release = '4.7.2' | '4.8.2';

/** A flood of valid-looking messages. */
interface Flood {
  readonly name: string;
  readonly make: (node: FloodedState, at: number) => Made;
  readonly ends: Readonly<Record<Release, string>>;
  readonly keeps: readonly Release[];
}

interface Made {
  readonly id?: Uint8Array;
  readonly message: Uint8Array;
}

const RELEASES: readonly Release[] = ['4.7.2', '4.8.2'];
const GROWTH_MAX = 64 * 1024 * 1024;
const MB = 1024 * 1024;
const BLOCKS = 12;
/** Number of messages of a flood before the first measurement of the memory, but at most half of all messages. */
const WARM = 50;
const SLOT_MS = 3000;
/** Maximum number of blocks of one witness and height that the node stores. java-tron has no limit. */
const KEPT_MAX = 3;
const PING = encodeKeepAlive('ping', 1);
const stays = { '4.7.2': 'answered', '4.8.2': 'answered' } as const;

const floods: readonly Flood[] = [
  {
    // Reference: BlockMsgHandler.processBlock. java-tron logs a block on the head that cannot be applied. 4.8.2 drops
    // it earlier.
    name: 'blocks by a non-witness',
    make: ({ headId, headTimeMs }, at) => onHead(headId, headTimeMs + SLOT_MS + at, 'stranger'),
    ends: stays,
    keeps: [],
  },
  {
    // Reference: KhaosDatabase.push. A block that is not on the head is not executed. 4.7.2 does not check its
    // producer.
    name: 'blocks by a non-witness on a side branch',
    make: ({ parentId, headTimeMs }, at) => onHead(parentId, headTimeMs + at, 'stranger'),
    ends: stays,
    keeps: ['4.7.2'],
  },
  {
    // Reference: TronNetDelegate.validSignature. In 4.7.2, P2pEventHandlerImpl.processException has no disconnect
    // reason for a bad signature.
    name: 'blocks with a bad signature',
    make: ({ headId, headTimeMs }, at) => onHead(headId, headTimeMs + SLOT_MS + at, 'witness'),
    ends: { '4.7.2': 'UNKNOWN', '4.8.2': 'BAD_BLOCK' },
    keeps: [],
  },
  {
    // Reference: SyncService.startSync. The node starts to sync from the sender of the block. 4.8.2 first checks the
    // producer.
    name: 'unlinked blocks',
    make: ({ head, headTimeMs }, at) => {
      const parentId = Buffer.concat([fromInt64(BigInt(head)), randomBytes(24)]);
      return makeBlock({ parentId, timeMs: headTimeMs + SLOT_MS + at, by: 'stranger' });
    },
    ends: stays,
    keeps: [],
  },
  {
    // Reference: PbftMsgHandler. 4.8.2 drops votes if the chain does not use PBFT.
    name: 'votes of PBFT on a chain without PBFT',
    make: ({ headId, head }, at) => ({ message: makeVote(fromHex(headId), BigInt(head + at)) }),
    ends: { '4.7.2': 'BAD_PROTOCOL', '4.8.2': 'answered' },
    keeps: [],
  },
];

const onHead = (parentId: string, timeMs: number, by: 'witness' | 'stranger'): Made =>
  makeBlock({ parentId: fromHex(parentId), timeMs, by });

export const validLookingFloods: Measurement = {
  title: 'survives floods of valid-looking blocks and votes, by 4.7.2 and 4.8.2',
  gate: 10_000,
  night: 1_000_000,
  async run({ count }) {
    const each = Math.ceil(count / RELEASES.length / floods.length);
    const lines: string[] = [];
    for (const release of RELEASES) lines.push(...(await flooded(release, each)));
    return `\n${lines.join('\n')}\n `;
  },
};

async function flooded(release: Release, count: number): Promise<string[]> {
  const endings = new Endings();
  const lines: string[] = [];
  try {
    const node = await FloodedNode.start(endings, release);
    await node.produce(BLOCKS);
    const hosts = { last: 0 };
    for (const flood of floods) lines.push(`  ${release} ${await one(node, { release, flood, count, hosts })}`);
  } finally {
    await endings.run();
  }
  return lines;
}

interface OneFlood {
  readonly release: Release;
  readonly flood: Flood;
  readonly count: number;
  readonly hosts: { last: number };
}

async function one(node: FloodedNode, { release, flood, count, hosts }: OneFlood): Promise<string> {
  const first = await node.state();
  const ids: string[] = [];
  const ends = new Map<string, number>();
  let before = first;
  for (let at = 0; at < count; at++) {
    if (at === Math.min(WARM, count >> 1)) before = await node.state();
    const host = ++hosts.last;
    const from = `127.${1 + ((host >> 16) & 127)}.${(host >> 8) & 255}.${host & 255}`;
    const peer = await HostilePeer.dial({ port: node.port, networkId: NETWORK, from });
    const made = flood.make(first, at);
    if (made.id !== undefined) {
      const id = toHex(made.id);
      ids.push(id);
      peer.say(encodeItems('INVENTORY', { kind: 'block', ids: [id] }));
      await peer.next(WireMessageType.FETCH_INV_DATA);
    }
    peer.say(made.message, PING);
    const end = await endOf(peer.raw, true);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    peer.close();
  }
  const after = await node.state(ids);
  const growth = after.bytes - before.bytes;
  const summary = [...ends].map(([end, times]) => `${end} ${times}`).join(', ');
  const figures =
    `${flood.name}: ${count} of them, ${summary}; kept ${after.known}, ` +
    `memory ${(growth / MB).toFixed(1)} MB more after a collection, ${node.memoryPeak()}, ${after.failures.length} failures`;
  assert.deepEqual(after.failures, [], figures);
  assert.deepEqual([...ends], [[flood.ends[release], count]], figures);
  assert.equal(after.known, flood.keeps.includes(release) ? Math.min(count, KEPT_MAX) : 0, figures);
  assert.equal(after.headId, first.headId, figures);
  assert.ok(growth < GROWTH_MAX, figures);
  return figures;
}
