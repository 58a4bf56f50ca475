import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { errorTypes } from './access.js';

/** Error types of a topic whose partitions have no leader yet. kafkajs does not repeat the request after them. */
const NO_LEADER_YET: ReadonlySet<string> = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE']);
/** Error types of a topic that was just created. The brokers learn of it one after the other. */
const NEW_TOPIC: ReadonlySet<string> = new Set([...NO_LEADER_YET, 'UNKNOWN_TOPIC_OR_PARTITION']);
/** Maximum number of requests, and delay between them in ms. A broker needs less than a second for a new topic. */
const ATTEMPTS = 10;
const WAIT_MS = 200;

/**
 * Returns the first and the next offset of each partition. Repeats the request while partitions have no leader.
 * @throws {Error} the last error of the cluster
 */
export function topicOffsets(admin: Admin, topic: string): ReturnType<Admin['fetchTopicOffsets']> {
  return repeated(() => admin.fetchTopicOffsets(topic), NO_LEADER_YET);
}

/**
 * Waits until the cluster knows a topic that was just created, and its partitions have leaders.
 * @throws {Error} the last error of the cluster
 */
export async function untilTopicReady(admin: Admin, topic: string): Promise<void> {
  await repeated(() => admin.fetchTopicOffsets(topic), NEW_TOPIC);
}

async function repeated<Result>(request: () => Promise<Result>, transient: ReadonlySet<string>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (attempt === ATTEMPTS || !errorTypes(error).some((type) => transient.has(type))) throw error;
      await sleep(WAIT_MS);
    }
  }
}
