import type { ReplicaStatus } from '../../api/graphql/status.js';
import type { LogProgress } from '../../streams/sinks/kafka/read-log.js';

/** How far a replica is behind the log that it follows, as of the last fetch. */
export class ReplicaLag {
  /** Records of the topic that are not taken yet: entries, parts of large ones, ends of transactions. */
  records = 0;
  /** Whether the log can be read: without, the numbers are those from before. */
  isConnected = false;
  private readonly now: () => number;
  private writtenMs = 0;

  /** @param now ms since 1970 */
  constructor(now: () => number) {
    this.now = now;
  }

  taken({ lagRecords, writtenMs }: LogProgress): void {
    this.records = lagRecords;
    this.writtenMs = writtenMs;
  }

  /** Time since the newest record that was taken had been written, while there are newer ones. */
  get seconds(): number {
    return this.records === 0 ? 0 : Math.max(0, this.now() - this.writtenMs) / 1000;
  }

  /** For people, so in tenths of a second. */
  get status(): ReplicaStatus {
    const { records: lagRecords, isConnected } = this;
    return { lagRecords, lagSeconds: Math.round(this.seconds * 10) / 10, isConnected };
  }
}
