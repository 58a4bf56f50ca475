import t, { type Test } from 'tap';
import {
  PBFTMessageDataType as DataType,
  HelloMessageBlockId,
  PBFTCommitResult,
  PBFTMessageRaw,
  SRL,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { secp256k1 } from '../../../../src/crypto/secp256k1.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { encodeChainIds, encodeItems, encodeMessage, encodeSyncRequest } from '../../../../src/p2p/wire/messages.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { activeWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { keys, PeerNode, type PeerNodeOptions } from '../../../support/peers/peer-node.js';
import { TronPeer } from '../../../support/peers/tron-peer.js';
import { until } from '../../../support/until.js';

/** Number of votes that a proof needs with five witnesses. */
const QUORUM = 4;
/** Interval of maintenances in ms, which is three slots. The test covers several maintenances. */
const MAINTENANCE_MS = 9000;

/** Starts a node whose chain uses PBFT. @param witnesses indexes of the witnesses with whose keys it votes */
function voter(t: Test, witnesses: readonly number[], options: PeerNodeOptions = {}): Promise<PeerNode> {
  const own = witnesses.map((at) => `"${Object.values(keys)[at]}"`);
  const more = `
committee.allowPBFT = 1
node.agreeNodeCount = ${QUORUM}
block.maintenanceTimeInterval = ${MAINTENANCE_MS}
localwitness = [${own}]
${options.more ?? ''}`;
  return PeerNode.start(t, { ...options, more, flags: { witness: own.length > 0 } });
}

/**
 * Starts two nodes that together vote with all keys. Produces blocks one by one, and waits each time until both nodes
 * have enough votes for the block.
 */
async function agreed(t: Test, blocks: number): Promise<PeerNode> {
  const first = await voter(t, [0, 1, 2]);
  const second = await voter(t, [3, 4], { dials: [first.port] });
  await until('both are in sync', () => first.node.peers.inSync === 1 && second.node.peers.inSync === 1);
  for (let height = 1; height <= blocks; height++) {
    await first.produce(1);
    await until(`block ${height} is agreed on`, () =>
      [first, second].every(({ node }) => node.voted.number === height),
    );
  }
  return first;
}

/** Connects a peer that has only genesis, and requests the ids of the node's chain. */
async function syncing(target: PeerNode): Promise<TronPeer> {
  const hash = target.node.chain.ledger.blockIdAt(0)!;
  const peer = await TronPeer.dial(target);
  const headBlockId = Object.assign(new HelloMessageBlockId(), { hash, number: 0n });
  peer.say(peer.hello({ headBlockId }), encodeSyncRequest([{ hex: toHex(hash), number: 0 }]));
  await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
  return peer;
}

/** Requests a block. Returns the proofs that arrive before it, each with its content and its number of signers. */
async function proofsBefore(peer: TronPeer, id: string): Promise<readonly (readonly [PBFTMessageRaw, number])[]> {
  peer.say(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [id] }));
  const proofs: (readonly [PBFTMessageRaw, number])[] = [];
  for (;;) {
    const message = (await peer.raw.nextWrapped())!;
    if (message[0] === WireMessageType.BLOCK) return proofs;
    if (message[0] !== WireMessageType.PBFT_COMMIT_MSG) continue;
    const { data, signature } = PBFTCommitResult.decode(message.subarray(1));
    proofs.push([PBFTMessageRaw.decode(data), signature.length]);
  }
}

function idAt({ node }: PeerNode, height: number): string {
  return toHex(node.chain.ledger.blockIdAt(height)!);
}

t.test('agrees on each block and on the next witnesses across a maintenance', async (t: Test) => {
  const first = await agreed(t, 8);
  const { properties } = first.node.chain.state;
  const peer = await syncing(first);
  const schedules: PBFTMessageRaw[] = [];
  for (let height = 1; height <= 8; height++) {
    const proofs = await proofsBefore(peer, idAt(first, height));
    for (const [raw, signatures] of proofs) {
      t.equal(signatures, QUORUM);
      if (raw.dataType === DataType.SRL) schedules.push(raw);
      else t.same([raw.viewN, toHex(raw.data)], [BigInt(height), idAt(first, height)]);
    }
    t.ok(proofs.some(([{ dataType }]) => dataType === DataType.BLOCK));
  }
  t.ok(schedules.length >= 2, 'schedules of two epochs');
  for (const { viewN, epoch, data } of schedules) {
    t.equal(viewN, epoch);
    t.same(SRL.decode(data).srAddress.map(toHex), activeWitnesses(first.node.chain.state));
  }
  t.ok(schedules.at(-1)!.epoch <= properties.get('NEXT_MAINTENANCE_TIME'));
  peer.raw.close();
});

t.test('stores and forwards proofs after a sync', async (t: Test) => {
  const first = await agreed(t, 3);
  const late = await voter(t, [], { dials: [first.port] });
  await until('all blocks at the peer', () => late.headNumber === 3 && late.node.peers.inSync === 1);
  t.equal(late.node.voted.number, 0, 'a proof is not counted as votes');
  const peer = await syncing(late);
  const proofs = await proofsBefore(peer, idAt(first, 2));
  t.same(
    proofs.filter(([{ dataType }]) => dataType === DataType.BLOCK).map(([{ viewN }, signed]) => [viewN, signed]),
    [[2n, QUORUM]],
  );
  peer.raw.close();
});

t.test('drops a proof with too few or wrong signers', async (t: Test) => {
  const first = await voter(t, []);
  await first.produce(3);
  const late = await voter(t, []);
  const sender = await TronPeer.dial(late);
  const [one, two, three] = [1, 2, 3].map((height) => ({ height, id: first.node.chain.ledger.blockIdAt(height)! }));
  const all = Object.values(keys).map((key) => fromHex(key));
  const unknown = sha256(Uint8Array.of(1));
  sender.say(
    sender.hello({
      headBlockId: Object.assign(new HelloMessageBlockId(), { hash: three!.id, number: 3n }),
    }),
  );
  await sender.next(WireMessageType.SYNC_BLOCK_CHAIN);
  const genesis = { hex: idAt(first, 0), number: 0 };
  sender.say(
    encodeChainIds({
      ids: [genesis, ...[one!, two!, three!].map(({ id, height }) => ({ hex: toHex(id), number: height }))],
      remaining: 0,
    }),
  );
  await sender.next(WireMessageType.FETCH_INV_DATA);
  sender.say(
    proofOf(one!, [...all.slice(0, QUORUM - 1), unknown]),
    encodeMessage('BLOCK', first.node.chain.ledger.block(1)!.block),
    // Two signatures of the same witness are counted once.
    proofOf(two!, [...all.slice(0, QUORUM - 1), all[0]!]),
    encodeMessage('BLOCK', first.node.chain.ledger.block(2)!.block),
    proofOf(three!, all.slice(0, QUORUM)),
    encodeMessage('BLOCK', first.node.chain.ledger.block(3)!.block),
  );
  await until('all blocks at the peer', () => late.headNumber === 3);
  const peer = await syncing(late);
  for (const height of [1, 2]) t.same(await proofsBefore(peer, idAt(first, height)), []);
  t.equal((await proofsBefore(peer, idAt(first, 3))).length, 1, 'the valid proof was stored');
  peer.raw.close();
  sender.raw.close();
});

function proofOf(
  { height, id }: { readonly height: number; readonly id: Uint8Array },
  signers: readonly Uint8Array[],
): Uint8Array {
  const raw = { msgType: 4, dataType: DataType.BLOCK, viewN: BigInt(height), epoch: 1n, data: id };
  const data = PBFTMessageRaw.encode(Object.assign(new PBFTMessageRaw(), raw));
  const signature = signers.map((key) => {
    const signed = secp256k1.sign(sha256(data), key);
    return Buffer.concat([signed.signature, Uint8Array.of(signed.recid)]);
  });
  return encodeMessage(
    'PBFT_COMMIT_MSG',
    PBFTCommitResult.encode(Object.assign(new PBFTCommitResult(), { data, signature })),
  );
}
