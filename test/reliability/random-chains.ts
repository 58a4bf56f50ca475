import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tally } from './differential/chain-run.js';
import { runChain } from './differential/random-chain.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Environment variable: one seed in place of random ones. */
const SEED = 'TRONICLE_CHAIN_SEED';
const BLOCKS = 350;

/**
 * Random transactions of every kind on random rules, offered in step to java-tron and to our chain: verdicts and texts, made blocks,
 * ids, receipts and every changed row are compared. It stops at the first difference and says seed, place and both answers.
 */
export const randomChains: Measurement = {
  title: `chains of ${BLOCKS} random blocks beside java-tron`,
  gate: 2,
  night: 40,
  async run({ count, folder, random }) {
    const reference = compiledReference();
    const release = namedRelease();
    const given = process.env[SEED];
    const tally: Tally = new Map();
    for (let at = 0; at < (given === undefined ? count : 1); at++) {
      const seed = given === undefined ? Math.floor(random() * 2 ** 31) : Number(given);
      const own = join(folder, `${at}`);
      mkdirSync(own);
      await runChain({ seed, blocks: BLOCKS, folder: own, reference, release }, tally);
    }
    const sum = [...tally.values()].reduce((total, { offered }) => total + offered, 0);
    const taken = [...tally].map(([name, counts]) => `${name} ${counts.taken}/${counts.offered}`).join(', ');
    return `${release}: ${sum} transactions, 0 differing (taken: ${taken})`;
  },
};
