import t from 'tap';
import {
  PBFTMessageDataType as DataType,
  PBFTMessage,
  PBFTMessageRaw,
} from '../../../../src/codec/generated/messages.js';
import type { LocalChain } from '../../../../src/p2p/local-chain.js';
import { VoteGate } from '../../../../src/p2p/pbft/vote-gate.js';
import { DEFAULT_LIMITS } from '../../../../src/p2p/releases/peer-limits.js';
import type { PeerRelease } from '../../../../src/p2p/releases/peer-release.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import { fakePeer, later, older, setOf } from '../../../support/p2p/fake-peer.js';

const DAY_MS = 86_400_000n;
const SIGNER = `41${'0a'.repeat(20)}`;

interface Vote {
  readonly release?: PeerRelease;
  readonly usesVotes?: boolean;
  readonly dataType?: number;
  readonly viewN?: bigint;
  readonly epoch?: bigint;
}

/**
 * Returns the number of signer recoveries for a vote. The head is block 100. The next maintenance is after ten days,
 * and the maintenance interval is one day.
 */
function checks({ release = later, usesVotes = true, dataType = DataType.BLOCK, viewN = 100n, epoch }: Vote): number {
  let count = 0;
  const chain: Partial<LocalChain> = {
    head: { hex: '00'.repeat(32), number: 100 },
    usesVotes,
    maintenance: { nextMs: 10n * DAY_MS, intervalMs: DAY_MS },
    signerOf: () => {
      count++;
      return SIGNER;
    },
    votersOf: () => [SIGNER],
  };
  const peers = [fakePeer(), fakePeer()];
  const gate = new VoteGate({ chain: chain as LocalChain, release, peers: setOf(peers), now: () => 0 });
  const rawData = Object.assign(new PBFTMessageRaw(), { dataType, viewN, epoch: epoch ?? 10n * DAY_MS });
  gate.take(peers[0]!.peer, PBFTMessage.encode(Object.assign(new PBFTMessage(), { rawData })));
  t.equal(peers[1]!.sent.length, count, 'accepted votes are forwarded');
  return count;
}

t.test('ignores votes while the chain does not use them', async (t) => {
  t.equal(checks({ usesVotes: false }), 0);
  t.equal(checks({ usesVotes: false, release: older }), 1, 'release 4.7.2 accepts them');
  t.equal(checks({}), 1);
});

t.test('ignores votes on a block over 20 below the head, or on witnesses from two intervals ago', async (t) => {
  t.equal(checks({ viewN: 80n }), 1);
  t.equal(checks({ viewN: 79n }), 0);
  t.equal(checks({ viewN: 79n, release: older }), 1);
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, votedBlocks: 21 });
  t.equal(checks({ viewN: 79n, release }), 1, 'committee.pBFTExpireNum');
  const dataType = DataType.SRL;
  t.equal(checks({ dataType, viewN: 0n, epoch: 8n * DAY_MS }), 1);
  t.equal(checks({ dataType, viewN: 0n, epoch: 8n * DAY_MS - 1n }), 0);
});
