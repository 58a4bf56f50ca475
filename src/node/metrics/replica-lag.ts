import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import type { LogProgress } from '../../streams/sinks/kafka/read-log.js';

/** Lag of a replica relative to the followed log, as of the last fetch. */
export class ReplicaLag {
  /**
   * Number of records in the Kafka topic that are not applied yet. They are log entries, parts of large entries, and
   * ends of transactions.
   */
  records = 0;
  /** False if the log is not readable. The other values are then those of the last successful fetch. */
  isConnected = false;
  private readonly now: () => number;
  private writtenMs = 0;

  /** @param now ms since 1970 */
  constructor(now: () => number) {
    this.now = now;
  }

  update({ lagRecords, writtenMs }: LogProgress): void {
    this.records = lagRecords;
    this.writtenMs = writtenMs;
  }

  /** Seconds since the newest applied record was written; 0 if there is no newer record. */
  get seconds(): number {
    return this.records === 0 ? 0 : Math.max(0, this.now() - this.writtenMs) / 1000;
  }

  /** Status for people, rounded to tenths of a second. */
  get status(): ReplicaStatus {
    const { records: lagRecords, isConnected } = this;
    return { lagRecords, lagSeconds: Math.round(this.seconds * 10) / 10, isConnected };
  }
}
