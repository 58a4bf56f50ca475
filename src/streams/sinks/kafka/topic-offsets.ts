import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { errorTypes } from './access.js';

/** Error types of a topic whose partitions have no leader yet. kafkajs does not repeat the request after them. */
const NO_LEADER_YET: ReadonlySet<string> = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE']);
/** Maximum number of requests, and delay between them in ms. A broker needs less than a second for a new topic. */
const ATTEMPTS = 10;
const WAIT_MS = 200;

/**
 * Returns the first and the next offset of each partition. Repeats the request for a topic that was just created.
 * @throws {Error} the last error of the cluster
 */
export async function topicOffsets(admin: Admin, topic: string): ReturnType<Admin['fetchTopicOffsets']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await admin.fetchTopicOffsets(topic);
    } catch (error) {
      if (attempt === ATTEMPTS || !errorTypes(error).some((type) => NO_LEADER_YET.has(type))) throw error;
      await sleep(WAIT_MS);
    }
  }
}
