import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TIMEOUT_MS } from './event-timeout.js';

/** Time between two polls, in ms. */
const PAUSE_MS = 50;

type Polled<T> = T | undefined | false;

/**
 * Polls until the result is neither `undefined` nor `false`, and returns it.
 * @throws the error of a poll
 * @throws {Error} the time is over; the message contains `what`
 */
export async function until<T>(what: string, poll: () => Polled<T> | Promise<Polled<T>>): Promise<T> {
  for (const end = Date.now() + EVENT_TIMEOUT_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const answer = await poll();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited ${EVENT_TIMEOUT_MS} ms for ${what}`);
}

/**
 * Polls like {@link until}, but ignores errors of a poll, because the server may not run yet.
 * @throws {Error} the time is over; the cause is the last error of a poll
 */
export async function untilServed<T>(what: string, poll: () => Promise<Polled<T>>): Promise<T> {
  let failure: unknown;
  const pollServed = (): Promise<Polled<T>> =>
    poll().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
  return until(what, pollServed).catch((cause: Error) => {
    throw new Error(cause.message, { cause: failure });
  });
}
