import { present } from '../../primitives/assert.js';
import { findStateProjection } from '../../projections/state-projections.js';
import { encodeEventCursor } from './events/event-cursor.js';
import type { GraphqlSource } from './graphql-source.js';

/** Number of blocks over which the transaction rate is measured: one minute of blocks at 3 s each. */
const RATE_BLOCKS = 20;

export type NodeStatus = ReturnType<typeof readStatus>;

/** Returns the current status of the node. */
export function readStatus({ ledger, blocks, api, progress }: GraphqlSource) {
  const { headNumber, headId, solidifiedNumber, solidifiedId, digest } = ledger.position;
  const { storedSeq } = ledger;
  const behind = (newest: number, number: number): number => Math.max(0, newest - Math.max(0, number));
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
      const number = heightAt(ledger, seq);
      return { name, number, behind: behind(headNumber, number) };
    }),
    stateProjections: () => stateProjectionsOf(ledger),
    sinks: progress.sinks().map(({ name, state, number, problem = null }) => {
      return { name, state, number, behind: behind(solidifiedNumber, number), problem };
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

/** Returns the height of the head after a log entry; −1 before the first entry. */
function heightAt(ledger: GraphqlSource['ledger'], seq: number): number {
  for (let at = Math.min(seq, ledger.storedSeq); at >= 0; at--) {
    const { kind, number } = ledger.entry(at);
    if (kind !== 'solidified') return kind === 'applied' ? number : number - 1;
  }
  return -1;
}

/** Returns the number of transactions per second, measured over the newest blocks by their timestamps. */
function rate(blocks: GraphqlSource['blocks'], head: number): number {
  const first = Math.max(0, head - RATE_BLOCKS);
  let count = 0;
  for (let number = first + 1; number <= head; number++) count += blocks.byNumber(number)?.transactionCount ?? 0;
  const timeOf = (number: number): bigint => present(blocks.byNumber(number), HAS_BLOCK).header.timestamp;
  const ms = Number(timeOf(head) - timeOf(first));
  return ms <= 0 ? 0 : (count * 1000) / ms;
}
