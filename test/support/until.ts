import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.js';

/** Time between two polls, in ms. */
const PAUSE_MS = 50;

type Asked<T> = T | undefined | false;

/**
 * Polls until there is a result that is neither `undefined` nor `false`.
 * @throws the error of the poll, or after the timeout an error that names the awaited condition
 */
export async function until<T>(what: string, ask: () => Asked<T> | Promise<Asked<T>>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited ${PATIENCE_MS} ms for ${what}`);
}

/** Like `until`, for a server that may not run yet: retries a failed request. */
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
