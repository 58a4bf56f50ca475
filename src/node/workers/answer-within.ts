import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the answer of another thread, or `otherwise` if the answer does not arrive in time.
 * @param maxMs time limit in ms
 * @param otherwise result after the time limit
 */
export async function answerWithin<T>(maxMs: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const limit = new AbortController();
  const late = sleep(maxMs, otherwise, { ref: false, signal: limit.signal });
  try {
    return await Promise.race([answer, late]);
  } finally {
    limit.abort();
    late.catch(() => undefined);
  }
}
