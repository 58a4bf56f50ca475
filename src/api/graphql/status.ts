import { present } from '../../primitives/assert.js';
import { headAt } from '../../projections/runner/reach.js';
import { findStateProjection } from '../../projections/state-projections.js';
import { lagInBlocks } from '../../streams/forwarding/sink-status.js';
import { encodeEventCursor } from './events/event-cursor.js';
import type { GraphqlSource } from './graphql-source.js';

/** Number of blocks over which the transaction rate is measured: one minute of blocks at 3 s each. */
const RATE_BLOCKS = 20;

export type NodeStatus = ReturnType<typeof readStatus>;

/** Returns the current status of the node. */
export function readStatus({ ledger, blocks, api, progress }: GraphqlSource) {
  const { headNumber, headId, solidifiedNumber, solidifiedId, digest } = ledger.position;
  const { storedSeq } = ledger;
  return {
    release: () => api.settings.release.name,
    headNumber,
    headId,
    headTime: present(blocks.byNumber(headNumber), HAS_BLOCK).header.timestamp,
    solidifiedNumber,
    solidifiedId,
    pending: api.pending.count,
    digest,
    logSeq: storedSeq,
    cursor: encodeEventCursor({ kind: 'any', seq: storedSeq, number: 0, count: 0 }),
    keptHeight: ledger.keptHeight,
    beginHeight: ledger.startNumber,
    transactionsPerSecond: () => rate(blocks, headNumber),
    peers: api.peers.active,
    projections: progress.projections().map(({ name, seq }) => {
      // An index that has stopped can be at a pruned entry. Its height is then unknown.
      const number = headAt(ledger, Math.min(seq, storedSeq)) ?? -1;
      return { name, number, behind: Math.max(0, headNumber - Math.max(0, number)) };
    }),
    stateProjections: () => stateProjectionsOf(ledger),
    sinks: progress.sinks().map((sink) => {
      const { name, state, number, problem = null } = sink;
      return { name, state, number, behind: lagInBlocks(sink, solidifiedNumber, ledger.startNumber), problem };
    }),
    replica: progress.replica() ?? null,
    storageProblem: progress.storageProblem() ?? null,
  };
}

const HAS_BLOCK = 'every height up to the head has a block';

function stateProjectionsOf(ledger: GraphqlSource['ledger']) {
  const { seq, number, projections } = ledger.stateSums();
  return projections.map((sum) => {
    return { ...sum, description: findStateProjection(sum.name)?.description ?? '', seq, number };
  });
}

/** Returns the number of transactions per second, measured over the newest blocks by their timestamps. */
function rate(blocks: GraphqlSource['blocks'], head: number): number {
  let first = head;
  let count = 0;
  // After a bootstrap, the blocks below the solidified block can be missing.
  while (first > Math.max(0, head - RATE_BLOCKS) && blocks.byNumber(first - 1) !== undefined)
    count += blocks.byNumber(first--)?.transactionCount ?? 0;
  const timeOf = (number: number): bigint => present(blocks.byNumber(number), HAS_BLOCK).header.timestamp;
  const ms = Number(timeOf(head) - timeOf(first));
  return ms <= 0 ? 0 : (count * 1000) / ms;
}
