import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LogGroup } from '../../api/streams/kafka/log-groups.js';
import { LogNotReady, logTopic, readLog } from '../../api/streams/kafka/read-log.js';
import { Switches } from '../../api/streams/switches.js';
import { TransactionRet } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { Replica } from '../../projections/replica.js';
import { decodeBlock } from '../../vm/block/decoded-block.js';
import type { Chain } from '../chain/chain.js';
import type { SourceOptions } from '../config/source-row.js';
import type { Service } from '../node.js';

export interface FollowLogOptions {
  readonly chain: Chain;
  readonly source: SourceOptions;
  readonly log: Logger;
}

const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 5000;
/** ms between two lines of progress while catching up. */
const PROGRESS_MS = 5000;
/** Fact in the own log: topic, and offset of the record with which the newest block begins; committed with that block. */
const PLACE = 'source';
/** Blocks below the irreversible one that a switch may still reach: as many as the reference's own number can fall back by, and one. */
const REACH_BLOCKS = 2;

/**
 * Follows the log of another node: what it has appended is appended here, nothing is executed. Goes on by itself when the cluster
 * comes back; ends with an error that only a person can mend.
 */
export class FollowLog implements Service {
  /** Ends with `close`, or rejects with what only a person can mend: a `ReplicaError`, or one of the own folder. */
  readonly ended: Promise<void>;
  private readonly options: FollowLogOptions;
  private readonly replica: Replica;
  private readonly switches: Switches;
  private readonly stop = new AbortController();
  private wait = RETRY_MS_MIN;
  private reported = 0;

  constructor(options: FollowLogOptions) {
    const { ledger } = options.chain;
    const { seq, headNumber, headId } = ledger.position;
    this.options = options;
    this.replica = new Replica(ledger);
    this.switches = new Switches({ seq, number: headNumber, id: toHex(headId) });
    this.ended = this.run();
    // Met where it is awaited.
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
        log.info({ topic: logTopic(source), nextSeq: this.replica.nextSeq }, 'follows the log');
        const take = (groups: readonly LogGroup[], { lagRecords }: { lagRecords: number }): Promise<void> =>
          this.take(groups, lagRecords);
        await readLog({ source, nextSeq: this.replica.nextSeq, offset: this.offset(), take, log, signal });
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) throw error;
        log.warn({ err: error, retryMs: this.wait }, 'the log that is followed does not come, trying again');
        await sleep(this.wait, undefined, { signal }).catch(() => undefined);
        this.wait = Math.min(this.wait * 2, RETRY_MS_MAX);
      }
    }
  }

  private async take(groups: readonly LogGroup[], lagRecords: number): Promise<void> {
    for (const group of groups) this.takeGroup(group);
    await this.options.chain.ledger.flush();
    this.wait = RETRY_MS_MIN;
    this.report(lagRecords);
  }

  private takeGroup({ seq, offset, records }: LogGroup): void {
    const { chain } = this.options;
    const newest = this.replica.nextSeq - 1;
    if (seq + records.length - 1 < newest) return;
    if (seq <= newest) {
      for (const record of records) this.replica.checkKnown(record);
      return;
    }
    chain.ledger.note(PLACE, this.placeAt(offset));
    const oldestReachable = Math.max(0, chain.solidifiedNumber - REACH_BLOCKS);
    const { kind, block: entry } = this.replica.take({ records, oldestReachable });
    const block = decodeBlock(entry.block);
    if (kind === 'reverted') {
      this.switches.reverted();
      chain.unfollowed(block);
      return;
    }
    this.switches.applied(entry.number, entry.id);
    const results = entry.results.length === 0 ? new TransactionRet() : TransactionRet.decode(entry.results);
    chain.followed(block, results, this.switches.isSwitching);
  }

  private placeAt(offset: bigint): Uint8Array {
    return Buffer.from(JSON.stringify({ topic: logTopic(this.options.source), offset: String(offset) }));
  }

  /** Where the newest block lies in the topic, when it came from there. */
  private offset(): bigint | undefined {
    const { chain, source } = this.options;
    const noted = chain.ledger.noted(PLACE);
    if (noted === undefined) return undefined;
    const place = JSON.parse(Buffer.from(noted).toString()) as { topic: string; offset: string };
    return place.topic === logTopic(source) ? BigInt(place.offset) : undefined;
  }

  private report(lagRecords: number): void {
    if (Date.now() - this.reported < PROGRESS_MS) return;
    this.reported = Date.now();
    const { seq, headNumber } = this.options.chain.ledger.position;
    this.options.log.info({ seq, head: headNumber, lagRecords }, 'following');
  }
}

/** The cluster is away, or its topic not there yet. */
function isTransient(error: unknown): boolean {
  return error instanceof LogNotReady || (error instanceof Error && error.name.startsWith('KafkaJS'));
}
