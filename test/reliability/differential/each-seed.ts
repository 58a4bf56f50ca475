import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MeasurementOptions } from '../run.js';

/** Environment variable with one seed to use instead of random ones. */
const SEED = 'TRONICLE_CHAIN_SEED';

/** Runs a chain for each of a number of seeds, or for the seed in the environment, each in its own folder. */
export async function eachSeed(
  { count, folder, random }: MeasurementOptions,
  run: (chain: { readonly seed: number; readonly folder: string }) => Promise<void>,
): Promise<void> {
  const given = process.env[SEED];
  for (let at = 0; at < (given === undefined ? count : 1); at++) {
    const seed = given === undefined ? Math.floor(random() * 2 ** 31) : Number(given);
    const own = join(folder, `${at}`);
    mkdirSync(own);
    await run({ seed, folder: own });
  }
}
