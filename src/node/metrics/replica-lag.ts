import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import type { LogProgress } from '../../streams/sinks/kafka/read-log.js';

/** Lag of a replica relative to the log that it follows, as of the last fetch. */
export class ReplicaLag {
  /**
   * Number of records in the Kafka topic that are not applied yet. Includes parts of large log entries and the end
   * markers of Kafka transactions.
   */
  records = 0;
  /** True if the followed log can be read. If false, the other values are those of the last successful fetch. */
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

  /** Age of the newest applied record in seconds; 0 if the topic has no newer record. */
  get seconds(): number {
    return this.records === 0 ? 0 : Math.max(0, this.now() - this.writtenMs) / 1000;
  }

  /** Values for a status page, rounded to tenths of a second. */
  get status(): ReplicaStatus {
    const { records: lagRecords, isConnected } = this;
    return { lagRecords, lagSeconds: Math.round(this.seconds * 10) / 10, isConnected };
  }
}
