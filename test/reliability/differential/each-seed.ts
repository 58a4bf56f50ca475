import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MeasurementOptions } from '../run.js';

/** Environment variable with a seed. If it is set, only this seed is used. */
const SEED = 'TRONICLE_CHAIN_SEED';

/**
 * Runs a chain for each of `count` random seeds. Each chain has its own folder. If the environment variable has a seed,
 * runs only that chain.
 */
export async function eachSeed(
  { count, folder, random }: MeasurementOptions,
  run: (chain: { readonly seed: number; readonly folder: string }) => Promise<void>,
): Promise<void> {
  const configured = process.env[SEED];
  for (let at = 0; at < (configured === undefined ? count : 1); at++) {
    const seed = configured === undefined ? Math.floor(random() * 2 ** 31) : Number(configured);
    const own = join(folder, `${at}`);
    mkdirSync(own);
    await run({ seed, folder: own });
  }
}
