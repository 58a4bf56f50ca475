import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.js';

/** Time between two polls, in ms. */
const PAUSE_MS = 50;

type Asked<T> = T | undefined | false;

/**
 * Polls until the result is neither `undefined` nor `false`, and returns it.
 * @throws the error of a poll
 * @throws {Error} the time is over; the message contains `what`
 */
export async function until<T>(what: string, ask: () => Asked<T> | Promise<Asked<T>>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited ${PATIENCE_MS} ms for ${what}`);
}

/**
 * Polls like {@link until}, but ignores errors of a poll, because the server may not run yet.
 * @throws {Error} the time is over; the cause is the last error of a poll
 */
export async function untilServed<T>(what: string, ask: () => Promise<Asked<T>>): Promise<T> {
  let failure: unknown;
  const patient = (): Promise<Asked<T>> =>
    ask().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
  return until(what, patient).catch((cause: Error) => {
    throw new Error(cause.message, { cause: failure });
  });
}
