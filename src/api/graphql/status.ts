import { present } from '../../primitives/assert.js';
import type { SinkStatus } from '../../streams/forwarding/forward.js';
import { encodeEventCursor } from './events/event-cursor.js';
import type { GraphqlSource } from './graphql-source.js';

/** How far a read replica is behind the log that it follows, as of the last fetch. */
export interface ReplicaStatus {
  readonly lagRecords: number;
  readonly lagSeconds: number;
  readonly isConnected: boolean;
}

/** How far secondary projections and sinks have come, and a read replica itself. */
export interface NodeProgress {
  /** Name, and seq of the newest entry folded in, -1 for none. */
  projections(): readonly { readonly name: string; readonly seq: number }[];
  sinks(): readonly SinkStatus[];
  /** Undefined for a node that is no replica. */
  replica(): ReplicaStatus | undefined;
}

export const NO_PROGRESS: NodeProgress = { projections: () => [], sinks: () => [], replica: () => undefined };

/** Blocks over whose time the rate of transactions is taken: the last minute of a network with slots of 3 s. */
const RATE_BLOCKS = 20;

export type NodeStatus = ReturnType<typeof readStatus>;

/** Where the node stands now. */
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
    pending: api.waiting.count,
    digest,
    logSeq: storedSeq,
    cursor: encodeEventCursor({ kind: 'any', seq: storedSeq, number: 0, count: 0 }),
    keptHeight: ledger.keptHeight,
    beginHeight: ledger.beginNumber,
    transactionsPerSecond: () => rate(blocks, headNumber),
    peers: api.peers.active,
    projections: progress.projections().map(({ name, seq }) => {
      const number = heightAt(ledger, seq);
      return { name, number, behind: behind(headNumber, number) };
    }),
    sinks: progress.sinks().map(({ name, state, number, problem = null }) => {
      return { name, state, number, behind: behind(solidifiedNumber, number), problem };
    }),
    replica: progress.replica() ?? null,
  };
}

const HAS_BLOCK = 'every height up to the head has a block';

/** Height of the chain as of an entry of the log; -1 before the first. */
function heightAt(ledger: GraphqlSource['ledger'], seq: number): number {
  for (let at = Math.min(seq, ledger.storedSeq); at >= 0; at--) {
    const { kind, number } = ledger.entry(at);
    if (kind !== 'solidified') return kind === 'applied' ? number : number - 1;
  }
  return -1;
}

/** Transactions of the last blocks for each second between the first and the last of them. */
function rate(blocks: GraphqlSource['blocks'], head: number): number {
  const first = Math.max(0, head - RATE_BLOCKS);
  let count = 0;
  for (let number = first + 1; number <= head; number++) count += blocks.byNumber(number)?.transactionCount ?? 0;
  const timeOf = (number: number): bigint => present(blocks.byNumber(number), HAS_BLOCK).header.timestamp;
  const ms = Number(timeOf(head) - timeOf(first));
  return ms <= 0 ? 0 : (count * 1000) / ms;
}
