import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { errorTypes } from './kafka-error.js';

/** Error types of a topic whose partitions have no leader yet. kafkajs does not retry after these errors. */
const NO_LEADER_YET: ReadonlySet<string> = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE']);
/** Error types of a new topic. Its metadata reaches the brokers one after the other. */
const NEW_TOPIC: ReadonlySet<string> = new Set([...NO_LEADER_YET, 'UNKNOWN_TOPIC_OR_PARTITION']);
/** Maximum number of requests. A broker needs less than a second for a new topic. */
const ATTEMPTS = 10;
/** Delay between two requests, in ms. */
const WAIT_MS = 200;

/**
 * Returns the first offset and the next offset of each partition. Repeats the request while partitions have no leader.
 * @throws {Error} the last error of the cluster, after all attempts or if a retry cannot help
 */
export function topicOffsets(admin: Admin, topic: string): ReturnType<Admin['fetchTopicOffsets']> {
  return repeated(() => admin.fetchTopicOffsets(topic), NO_LEADER_YET);
}

/**
 * Waits until the cluster knows a new topic and its partitions have leaders.
 * @throws {Error} the last error of the cluster, after all attempts or if a retry cannot help
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
