import { Block } from '../../src/codec/generated/messages.js';
import { decodeItems } from '../../src/p2p/wire/messages.js';
import { toHex } from '../../src/primitives/bytes.js';
import { type DecodedBlock, toDecodedBlock } from '../../src/state-transition/block/decoded-block.js';
import { signedBy } from './attacker.js';
import { witnessOf } from './sim-config.js';
import { SimFailure } from './sim-failure.js';
import { Stage, type StageOptions } from './stage.js';

/**
 * A fixed order of messages and blocks. java-tron processes messages in several threads. For some of these orders,
 * java-tron 4.7.2 added locks or changed the order of steps. Reference: forkLock of SyncService.syncNext, blockLock of
 * ChainInventoryMsgHandler and handleSyncBlock, PeerConnection.checkAndPutAdvInvRequest, syncBlockInProcess, the check
 * of the solidified block.
 */
export interface Scenario extends StageOptions {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

/** Time in ms in which a block is announced, requested, received and applied over one link. */
const HOP_MS = 150;
/** Time in ms for one link if a check that runs every second is needed too. */
const CHECK_MS = 1200;

/** Links of five nodes in a line. Each node dials the node with the next lower number. */
const LINE = [
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 3],
] as const;
/** Links of the first three nodes of the line. */
const SHORT_LINE = LINE.slice(0, 2);
/** Links of four nodes. Node 3 dials nodes 1 and 2. Both dial node 0 and are connected to each other. */
const DIAMOND = [
  [1, 0],
  [2, 0],
  [2, 1],
  [3, 1],
  [3, 2],
] as const;
const TRIANGLE = [
  [1, 0],
  [2, 0],
  [2, 1],
] as const;

export const scenarios: readonly Scenario[] = [
  {
    name: 'forwards a block from one node to the next',
    nodes: 5,
    links: LINE,
    async play(stage) {
      await stage.agree(await stage.make(0), 4 * HOP_MS);
      await stage.agree(await stage.make(2), 2 * HOP_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'starts a sync for a block with an unknown parent',
    nodes: 2,
    links: [[1, 0]],
    async play(stage) {
      const lost = stage.keep(0, 1, 'INVENTORY', { count: 1, isLost: true });
      await stage.make(0);
      await stage.run(HOP_MS);
      stage.expect('the announcement was lost', lost.count === 1 && stage.nodes[1]!.headNumber === 0);
      await stage.agree(await stage.make(0), 4 * HOP_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'requests a block from another announcer after a disconnect',
    nodes: 4,
    links: DIAMOND,
    async play(stage) {
      const delayed = [stage.keep(1, 3, 'BLOCK'), stage.keep(2, 3, 'BLOCK')];
      const block = await stage.make(0);
      await stage.until('the block is requested', () => delayed.some(({ count }) => count > 0), HOP_MS);
      const requestedPeer = delayed[0]!.count > 0 ? 1 : 2;
      await stage.nodes[requestedPeer]!.crash();
      delayed[2 - requestedPeer]!.release();
      // HOP_MS is too short for the second request that follows a slow response. So the disconnect must cause the
      // second request.
      await stage.agree(block, HOP_MS);
    },
  },
  {
    name: 'recovers when a peer disconnects before it sends requested sync blocks',
    nodes: 4,
    links: DIAMOND,
    late: [3],
    async play(stage) {
      const head = await stage.produceMany(0, 12);
      const delayed = [stage.keep(1, 3, 'BLOCK'), stage.keep(2, 3, 'BLOCK')];
      await stage.nodes[3]!.start();
      await stage.until('blocks are requested', () => delayed.some(({ count }) => count > 0), 4000);
      const requestedPeer = delayed[0]!.count > 0 ? 1 : 2;
      await stage.nodes[requestedPeer]!.crash();
      delayed[2 - requestedPeer]!.release();
      await stage.agree(head, CHECK_MS);
    },
  },
  {
    name: 'recovers when a peer disconnects before it sends requested sync ids',
    nodes: 3,
    links: TRIANGLE,
    late: [2],
    async play(stage) {
      const head = await stage.produceMany(0, 5);
      const delayed = stage.keep(0, 2, 'BLOCK_CHAIN_INVENTORY');
      await stage.nodes[2]!.start();
      await stage.until('ids are sent', () => delayed.count > 0, 4000);
      await stage.nodes[0]!.crash();
      await stage.agree(head, CHECK_MS);
    },
  },
  {
    name: 'disconnects an unresponsive peer by time and requests again',
    nodes: 2,
    links: [[1, 0]],
    async play(stage) {
      const lost = stage.keep(0, 1, 'BLOCK', { count: 1, isLost: true });
      const block = await stage.make(0);
      await stage.run(HOP_MS);
      stage.expect('the block was requested', lost.count === 1);
      await stage.until(
        'the peer is disconnected',
        () => stage.disconnects.some(({ reason }) => reason === 'TIME_OUT'),
        23_000,
      );
      await stage.agree(block, 4000);
    },
  },
  {
    name: 'disconnects a peer that withholds sync blocks by time',
    nodes: 2,
    links: [[1, 0]],
    late: [1],
    async play(stage) {
      const head = await stage.produceMany(0, 3);
      const lost = stage.keep(0, 1, 'BLOCK', { count: 3, isLost: true });
      await stage.nodes[1]!.start();
      await stage.until('blocks are requested', () => lost.count > 0, 4000);
      await stage.until(
        'the peer is disconnected',
        () => stage.disconnects.some(({ reason }) => reason === 'TIME_OUT'),
        8000,
      );
      await stage.agree(head, 4000);
    },
  },
  ...(['4.7.2', '4.8.2'] as const).map(
    (release): Scenario => ({
      name: `rejects a block two seconds before its time, by ${release}`,
      nodes: 2,
      links: [[1, 0]],
      release,
      async play(stage) {
        await stage.agree(await stage.make(0), HOP_MS);
        const early = await stage.make(0, { aheadMs: 2000 });
        await stage.run(HOP_MS);
        stage.expect('the block is rejected', stage.nodes[1]!.headNumber === 1);
        await stage.run(early.timeMs - stage.nowMs);
        await stage.agree(await stage.make(0), 8000);
      },
    }),
  ),
  {
    name: 'returns to the old head after a failed branch, and accepts its valid blocks when extended',
    nodes: 3,
    links: TRIANGLE,
    async play(stage) {
      await stage.agree(await stage.make(0), HOP_MS);
      const cut = [stage.partition(0, 1), stage.partition(0, 2)];
      const good = await stage.make(0, { isAnnounced: false });
      const old = await stage.make(1);
      await stage.run(HOP_MS);
      for (const { heal } of cut) heal();
      // The second block is in the slot of another witness. It makes the branch longer than the chain.
      const forged = childOf(good, stage.block(0, good.timeMs + 3000));
      await stage.act(0, () => {
        for (const block of [good, forged]) stage.nodes[0]!.up.network.announceBlock(block);
      });
      await stage.run(2 * HOP_MS);
      expectFailedBranch(stage);
      for (const at of [1, 2]) stage.expect(`node ${at} has its old head`, stage.nodes[at]!.head === old.idHex);
      await stage.agree(await stage.make(0), CHECK_MS);
    },
  },
  {
    name: 'accepts an announced block that a sync has requested',
    nodes: 3,
    links: SHORT_LINE,
    async play(stage) {
      await stage.agree(await stage.make(0), 2 * HOP_MS);
      const cut = stage.partition(0, 1);
      const first = await stage.make(0);
      await stage.produceMany(0, 2);
      cut.heal();
      const head = await stage.make(0);
      await syncStarts(stage);
      const delayed = stage.keep(0, 1, 'BLOCK', { count: 1 });
      await stage.run(HOP_MS);
      stage.expect('one block is delayed', delayed.count === 1 && requestCount(stage, 1, 0, first) === 1);
      await stage.act(2, () => stage.nodes[2]!.up.network.announceBlock(first));
      await stage.until('the next blocks are applied', () => stage.nodes[1]!.head === head.idHex, CHECK_MS);
      delayed.release();
      await stage.run(HOP_MS);
      await stage.agree(await stage.make(0), CHECK_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'reorgs between a summary and its response',
    nodes: 3,
    links: SHORT_LINE,
    async play(stage) {
      await stage.agree(await stage.make(0), 2 * HOP_MS);
      const [far, near] = [stage.partition(0, 1), stage.partition(1, 2)];
      await stage.make(0);
      await stage.produceMany(2, 2);
      far.heal();
      const delayed = stage.keep(0, 1, 'BLOCK_CHAIN_INVENTORY');
      await stage.make(0);
      await stage.until('the response to a summary is delayed', () => delayed.count > 0, CHECK_MS);
      near.heal();
      const longer = await stage.make(2);
      await stage.until('the other branch is canonical', () => stage.nodes[1]!.head === longer.idHex, CHECK_MS);
      delayed.release();
      await stage.run(3 * HOP_MS);
      await stage.agree(await stage.make(1), 3 * HOP_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'reorgs between a block request and the blocks',
    nodes: 3,
    links: SHORT_LINE,
    async play(stage) {
      await stage.agree(await stage.make(0), 2 * HOP_MS);
      const [far, near] = [stage.partition(0, 1), stage.partition(1, 2)];
      await stage.make(0);
      await stage.produceMany(2, 2);
      far.heal();
      await stage.make(0);
      await syncStarts(stage);
      const delayed = stage.keep(0, 1, 'BLOCK');
      await stage.run(HOP_MS);
      stage.expect('blocks are delayed', delayed.count === 2);
      near.heal();
      const longer = await stage.make(2);
      await stage.until('the other branch is canonical', () => stage.nodes[1]!.head === longer.idHex, CHECK_MS);
      delayed.release();
      await stage.run(3 * HOP_MS);
      await stage.agree(await stage.make(1), 3 * HOP_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'reorgs on both sides between an id request and its response',
    nodes: 2,
    links: [[1, 0]],
    async play(stage) {
      await stage.agree(await stage.make(0), HOP_MS);
      const cut = stage.partition(0, 1);
      await stage.make(1);
      await stage.produceMany(0, 2);
      const delayed = [stage.keep(0, 1, 'BLOCK_CHAIN_INVENTORY'), stage.keep(1, 0, 'BLOCK_CHAIN_INVENTORY')];
      cut.heal();
      await stage.run(HOP_MS);
      const head = await stage.make(0);
      await stage.run(HOP_MS);
      for (const one of delayed) one.release();
      await stage.agree(head, 2 * CHECK_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'accepts one block from two peers at the same moment',
    nodes: 4,
    links: DIAMOND,
    async play(stage) {
      // Sends another block first. Its response time decides if the node sends a second request for later blocks.
      await stage.agree(await stage.make(0), 2 * HOP_MS);
      const delayed = [stage.keep(1, 3, 'BLOCK'), stage.keep(2, 3, 'BLOCK')];
      const block = await stage.make(0);
      await stage.until('both peers received a request', () => delayed.every(({ count }) => count === 1), CHECK_MS);
      for (const one of delayed) one.release();
      await stage.agree(block, HOP_MS);
      const accepted = stage.story.filter((line) => line.endsWith(`node 3 applies 2 ${block.idHex.slice(16, 24)}`));
      stage.expect('the block is applied once', accepted.length === 1);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'requests a block once that one peer announces twice',
    nodes: 2,
    links: [[1, 0]],
    async play(stage) {
      const delayed = stage.keep(0, 1, 'BLOCK');
      const block = await stage.make(0);
      await stage.until('the block is requested', () => delayed.count === 1, HOP_MS);
      const announced = stage.sentOf(0, 1, 'INVENTORY').at(-1)!;
      await stage.act(0, () => {
        for (const peer of stage.nodes[0]!.up.network.peers.active()) peer.send(announced.bytes);
      });
      await stage.run(CHECK_MS);
      stage.expect('the block is requested once', requestCount(stage, 1, 0, block) === 1);
      delayed.release();
      await stage.agree(block, HOP_MS);
      await stage.run(HOP_MS);
      stage.expect('the block is still requested once', requestCount(stage, 1, 0, block) === 1);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'does not request queued blocks again after any time',
    nodes: 2,
    links: [[1, 0]],
    late: [1],
    release: '4.8.2',
    requestLifeMs: 500,
    async play(stage) {
      const first = await stage.make(0);
      const head = await stage.produceMany(0, 5);
      const delayed = stage.keep(0, 1, 'BLOCK', { count: 1 });
      await stage.nodes[1]!.start();
      await stage.until('the first block is delayed', () => delayed.count > 0, 4000);
      await stage.run(3000);
      delayed.release();
      await stage.agree(head, CHECK_MS);
      stage.expect(
        'each block is requested once',
        requestCount(stage, 1, 0, head) === 1 && requestCount(stage, 1, 0, first) <= 2,
      );
    },
  },
  {
    name: 'solidifies a height while its block on another branch is queued',
    nodes: 3,
    links: TRIANGLE,
    async play(stage) {
      await stage.agree(await stage.make(0), HOP_MS);
      const cut = [stage.partition(0, 2), stage.partition(1, 2)];
      await stage.make(2);
      await stage.produceMany(0, 3);
      for (const { heal } of cut) heal();
      const delayedBlocks = [stage.keep(0, 2, 'BLOCK'), stage.keep(1, 2, 'BLOCK')];
      await stage.make(0);
      await stage.run(HOP_MS);
      // The other nodes request the branch of node 2, while node 2 reorgs to their branch.
      await stage.make(2);
      const isRequested = (at: number): boolean => stage.sentOf(at, 2, 'SYNC_BLOCK_CHAIN').length > 0;
      await stage.until('the others request ids', () => isRequested(0) && isRequested(1), HOP_MS);
      const branch = [stage.keep(2, 0, 'BLOCK'), stage.keep(2, 1, 'BLOCK')];
      await stage.run(HOP_MS);
      for (const delayed of delayedBlocks) delayed.release();
      await stage.until(
        'it reorgs to the other branch',
        () => stage.nodes[2]!.head === stage.nodes[0]!.head,
        2 * CHECK_MS,
      );
      stage.expect(
        'blocks of its branch are delayed',
        branch.every(({ count }) => count > 0),
      );
      await stage.make(0);
      await stage.run(HOP_MS);
      const isBelow = (at: number): boolean => stage.nodes[at]!.chain.solidifiedNumber >= 2;
      stage.expect('its first block is at or below the solidified height', isBelow(0) && isBelow(1));
      for (const item of branch) item.release();
      await stage.run(3 * HOP_MS);
      await stage.agree(await stage.make(0), 4 * HOP_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'fails a branch during a sync of the blocks after its valid block',
    nodes: 3,
    links: SHORT_LINE,
    async play(stage) {
      await stage.agree(await stage.make(0), 2 * HOP_MS);
      const cut = stage.partition(0, 1);
      const good = await stage.make(0);
      await stage.make(0);
      const old = await stage.make(1);
      cut.heal();
      const head = await stage.make(0);
      await syncStarts(stage);
      const delayed = stage.keep(0, 1, 'BLOCK');
      await stage.run(HOP_MS);
      delayed.releaseOne();
      await stage.run(HOP_MS);
      const forged = childOf(good, stage.block(2, head.timeMs));
      await stage.act(2, () => stage.nodes[2]!.up.network.announceBlock(forged));
      await stage.run(2 * HOP_MS);
      expectFailedBranch(stage);
      stage.expect('the old head is restored', stage.nodes[1]!.head === old.idHex);
      delayed.release();
      await stage.until('the branch is canonical', () => stage.nodes[1]!.head === head.idHex, 6000);
      stage.expect(
        'no peer is disconnected for a bad block',
        stage.disconnects.every(({ reason }) => reason !== 'BAD_BLOCK'),
      );
    },
  },
  {
    name: 'disconnects only the sync peer that sends blocks with wrong signatures',
    nodes: 4,
    links: DIAMOND,
    late: [3],
    tampering: [1],
    async play(stage) {
      // Delays the ids of node 2, so that node 3 requests the blocks from node 1. Node 1 changes only blocks that it
      // sends on request, not those that it has just forwarded.
      const slow = stage.keep(2, 3, 'BLOCK_CHAIN_INVENTORY');
      const blocks = await stage.produceMany(0, 15);
      await stage.nodes[3]!.start();
      await stage.until('the peer is disconnected', () => reasonsOf(stage, 3, 1).includes('BAD_BLOCK'), 4000);
      slow.release();
      await stage.agree(blocks, 5 * CHECK_MS);
      stage.expect('the other peer stays connected', reasonsOf(stage, 3, 2).length === 0);
    },
  },
  {
    name: 'produces a block during a sync',
    nodes: 2,
    links: [[1, 0]],
    late: [1],
    async play(stage) {
      await stage.produceMany(0, 6);
      const delayed = stage.keep(0, 1, 'BLOCK');
      await stage.nodes[1]!.start();
      await stage.until('blocks are delayed', () => delayed.count > 0, 4000);
      await stage.make(1);
      delayed.release();
      await stage.run(HOP_MS);
      await stage.agree(await stage.make(0), 2 * CHECK_MS);
      stage.expectNoDisconnect();
    },
  },
  {
    name: 'resumes a sync from flushed blocks after a crash',
    nodes: 2,
    links: [[1, 0]],
    late: [1],
    async play(stage) {
      const head = await stage.produceMany(0, 8);
      const late = stage.nodes[1]!;
      await late.start();
      const rest = stage.keep(0, 1, 'BLOCK');
      await stage.until('blocks arrive', () => rest.count > 3, 4000);
      await late.crash();
      rest.release();
      await late.start();
      await stage.agree(head, 4000);
    },
  },
];

/** Runs a scenario. @returns the broken invariant, if any, and the log of the scenario */
export async function play(scenario: Scenario): Promise<{ failure: SimFailure | undefined; story: readonly string[] }> {
  const stage = new Stage(scenario);
  try {
    await stage.start();
    await scenario.play(stage);
    return { failure: undefined, story: stage.story };
  } catch (error) {
    if (!(error instanceof SimFailure)) throw error;
    return { failure: error, story: stage.story };
  } finally {
    await stage.end();
  }
}

/** Waits until node 1 has started a sync from node 0: it has sent a summary of its chain. */
function syncStarts(stage: Stage): Promise<void> {
  return stage.until('the start of a sync', () => stage.sentOf(1, 0, 'SYNC_BLOCK_CHAIN').length > 0, HOP_MS);
}

function expectFailedBranch(stage: Stage): void {
  const isBack = (line: string): boolean => line.endsWith('returns to its branch');
  stage.expect('the branch was tried', stage.story.some(isBack));
}

/** Returns a block with another parent. Its signature is valid, but it is in the slot of another witness. */
function childOf(parent: DecodedBlock, block: DecodedBlock): DecodedBlock {
  const message = Block.decode(block.bytes);
  const raw = message.blockHeader!.rawData!;
  raw.parentHash = parent.id.slice();
  raw.number = BigInt(parent.number + 1);
  const other = witnessOf((witnessNumber(raw.witnessAddress) + 1) % 5);
  raw.witnessAddress = other.bytes;
  return signedBy(other, toDecodedBlock(message));
}

function witnessNumber(address: Uint8Array): number {
  return [0, 1, 2, 3, 4].findIndex((at) => toHex(witnessOf(at).bytes) === toHex(address));
}

/** Returns the number of requests for a block that one node has sent to another. */
function requestCount(stage: Stage, from: number, to: number, { idHex }: DecodedBlock): number {
  const requests = stage.sentOf(from, to, 'FETCH_INV_DATA');
  return requests.filter(({ bytes }) => decodeItems(bytes.subarray(1)).ids.includes(idHex)).length;
}

function reasonsOf(stage: Stage, at: number, from: number): readonly (string | undefined)[] {
  return stage.disconnects.filter((one) => one.at === at && one.from === from).map(({ reason }) => reason);
}
