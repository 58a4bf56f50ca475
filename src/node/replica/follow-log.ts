import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Chain } from '../../chain/chain.js';
import { TransactionRet } from '../../codec/generated/messages.js';
import type { SourceOptions } from '../../config/rows/source-row.js';
import { decodeEntry } from '../../log/log-entry.js';
import type { LogRecord } from '../../log/log-record.js';
import { toHex } from '../../primitives/bytes.js';
import { isStorageError } from '../../primitives/errors.js';
import { Replica } from '../../projections/ledger/replica.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';
import { ReorgTracker } from '../../streams/follow/reorg-tracker.js';
import { AccessDeniedError, NoBrokerError } from '../../streams/sinks/kafka/access.js';
import { KafkaError } from '../../streams/sinks/kafka/kafka-error.js';
import type { LogGroup } from '../../streams/sinks/kafka/log-groups.js';
import { LogNotReadyError, type LogProgress, logTopic, readLog } from '../../streams/sinks/kafka/read-log.js';
import type { Service } from '../lifecycle/node.js';
import type { ReplicaLag } from '../metrics/replica-lag.js';
import type { StopTarget } from '../stop-target.js';

interface FollowLogOptions {
  readonly chain: Chain;
  readonly source: SourceOptions;
  /** Stop conditions of `node.shutdown`. */
  readonly target?: StopTarget;
  /** Lag of this replica, updated after each fetch. */
  readonly lag?: ReplicaLag;
  readonly log: Logger;
}

const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 5000;
/** Interval of log lines about the progress of a catch-up, in ms. */
const PROGRESS_MS = 5000;
/**
 * Name under which the local log stores the position in the followed log: the topic, and the offset of the first record
 * of the newest block. The position is committed with the block.
 */
const PLACE = 'source';
/**
 * Depth below the solidified block to which a reorg may revert the chain, in blocks. A reorg cannot lower the
 * solidified height by this number or more.
 */
const REACH_BLOCKS = 2;

/**
 * Follows the log of another node. Appends the entries of that log to the local log, and does not execute blocks.
 * Retries after a cluster outage and after a failed write. Ends with an error only if the operator must act.
 */
export class FollowLog implements Service {
  /**
   * Resolves after `close` or at the stop target. Rejects with an error that requires an action of the operator: a
   * `ReplicaError`, or damage of the local folder.
   */
  readonly ended: Promise<void>;
  private readonly options: FollowLogOptions;
  private readonly replica: Replica;
  private readonly switches: ReorgTracker;
  private readonly stop = new AbortController();
  private wait = RETRY_MS_MIN;
  private reported = 0;

  constructor(options: FollowLogOptions) {
    const { ledger } = options.chain;
    const { seq, headNumber, headId } = ledger.position;
    this.options = options;
    this.replica = new Replica(ledger);
    this.switches = new ReorgTracker({ seq, number: headNumber, id: toHex(headId) });
    this.ended = this.run();
    // Avoids an unhandled rejection. The error is handled where `ended` is awaited.
    this.ended.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.ended.catch(() => undefined);
  }

  private async run(): Promise<void> {
    const { source, log } = this.options;
    const { signal } = this.stop;
    while (!signal.aborted) {
      try {
        log.info({ topic: logTopic(source), nextSeq: this.replica.nextSeq }, 'following log topic');
        const take = (groups: readonly LogGroup[], progress: LogProgress): Promise<void> => this.take(groups, progress);
        const onConnected = (): void => this.connected(true);
        const { nextSeq } = this.replica;
        await readLog({ source, nextSeq, offset: this.offset(), take, onConnected, log, signal });
      } catch (error) {
        if (signal.aborted) return;
        this.connected(false);
        if (isStorageError(error)) log.error({ err: error, retryMs: this.wait }, 'blocks not stored, retrying');
        else if (isTransient(error)) log.warn({ err: error, retryMs: this.wait }, 'log topic not readable, retrying');
        else throw error;
        await sleep(this.wait, undefined, { signal }).catch(() => undefined);
        this.wait = Math.min(this.wait * 2, RETRY_MS_MAX);
      }
    }
  }

  private async take(groups: readonly LogGroup[], progress: LogProgress): Promise<void> {
    const { chain, lag } = this.options;
    for (const group of groups) {
      if (this.isAtTarget(group)) break;
      this.takeGroup(group);
    }
    await chain.ledger.flush();
    lag?.update(progress);
    this.wait = RETRY_MS_MIN;
    this.report(progress.lagRecords);
  }

  private connected(isConnected: boolean): void {
    const { lag } = this.options;
    if (lag !== undefined) lag.isConnected = isConnected;
  }

  /** Returns true if the group starts with a block that the stop target excludes. */
  private isAtTarget({ records }: LogGroup): boolean {
    const { target } = this.options;
    if (target === undefined || this.stop.signal.aborted) return this.stop.signal.aborted;
    const block = joining(records[0]);
    const isReached = block !== undefined && target.isReachedBefore(block);
    if (isReached) this.stop.abort();
    return isReached;
  }

  private takeGroup({ seq, offset, records }: LogGroup): void {
    const { chain } = this.options;
    const newest = this.replica.nextSeq - 1;
    if (seq + records.length - 1 < newest) return;
    if (seq <= newest) {
      for (const record of records) this.replica.checkKnown(record);
      return;
    }
    chain.ledger.note(PLACE, this.positionAt(offset));
    const oldestReachable = Math.max(0, chain.solidifiedNumber - REACH_BLOCKS);
    const { kind, block: entry } = this.replica.take({ records, oldestReachable });
    const block = decodeBlock(entry.block);
    if (kind === 'reverted') {
      this.switches.reverted();
      chain.unfollowed(block);
      return;
    }
    this.switches.applied(entry.number, entry.id);
    const results = TransactionRet.decode(entry.results);
    chain.followed(block, results, this.switches.isReorging);
    if (this.options.target?.isReachedBy(entry.number) === true) this.stop.abort();
  }

  private positionAt(offset: bigint): Uint8Array {
    return Buffer.from(JSON.stringify({ topic: logTopic(this.options.source), offset: String(offset) }));
  }

  /** Returns the stored offset of the newest block; undefined if that block was read from a different topic. */
  private offset(): bigint | undefined {
    const { chain, source } = this.options;
    const noted = chain.ledger.noted(PLACE);
    if (noted === undefined) return undefined;
    const position = JSON.parse(Buffer.from(noted).toString()) as { topic: string; offset: string };
    return position.topic === logTopic(source) ? BigInt(position.offset) : undefined;
  }

  private report(lagRecords: number): void {
    if (Date.now() - this.reported < PROGRESS_MS) return;
    this.reported = Date.now();
    const { seq, headNumber } = this.options.chain.ledger.position;
    this.options.log.info({ seq, head: headNumber, lagRecords }, 'replica progress');
  }
}

/**
 * Returns the block that a record applies; undefined if the record applies no block. Also undefined for a malformed
 * record, because it is rejected later, when it is applied.
 */
function joining(record: LogRecord | undefined): DecodedBlock | undefined {
  const entry = record && decodeEntry(record.entry);
  return entry?.kind === 'applied' ? decodeBlock(entry.block) : undefined;
}

/**
 * Returns true if a retry can succeed: the cluster is not reachable or denies access, or its topic does not exist yet.
 */
function isTransient(error: unknown): boolean {
  return [LogNotReadyError, AccessDeniedError, NoBrokerError, KafkaError].some((kind) => error instanceof kind);
}
