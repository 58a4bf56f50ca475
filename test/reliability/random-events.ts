import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tally } from './differential/chain-run.js';
import { runEventedChain } from './differential/events/evented-chain.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Environment variable: one seed in place of random ones. */
const SEED = 'TRONICLE_CHAIN_SEED';
const BLOCKS = 250;
const CONFIGURATIONS = 4;

/**
 * Random chains with contracts that write logs by random ABIs: what java-tron publishes on its native queue of each block, by random
 * configurations, is compared with what this node's sink sends, text by text.
 */
export const randomEvents: Measurement = {
  title: `events of chains of ${BLOCKS} random blocks, by ${CONFIGURATIONS} configurations each, beside java-tron`,
  gate: 2,
  night: 40,
  async run({ count, folder, random }) {
    const reference = compiledReference();
    const release = namedRelease();
    const given = process.env[SEED];
    const tally: Tally = new Map();
    let compared = 0;
    for (let at = 0; at < (given === undefined ? count : 1); at++) {
      const seed = given === undefined ? Math.floor(random() * 2 ** 31) : Number(given);
      const own = join(folder, `${at}`);
      mkdirSync(own);
      const chain = { seed, blocks: BLOCKS, folder: own, reference, release, configurations: CONFIGURATIONS };
      compared += await runEventedChain(chain, tally);
    }
    return `${release}: ${compared} messages, 0 differing`;
  },
};
