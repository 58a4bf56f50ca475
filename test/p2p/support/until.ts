import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../../support/patience.js';

/** Looks again and again; a test that waits in vain says for what. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const startedMs = Date.now();
  while (!holds()) {
    if (Date.now() - startedMs > PATIENCE_MS) throw new Error(`waited in vain: ${what}`);
    await sleep(20);
  }
}
