import type { Tally } from './differential/chain-run.js';
import { eachSeed } from './differential/each-seed.js';
import { runChain } from './differential/random-chain.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

const BLOCKS = 350;

/**
 * Compares this node with java-tron on random chains with random parameters. Submits random transactions of every kind
 * to both nodes. Error texts, produced blocks, ids, receipts and every changed row must be equal. Stops at the first
 * mismatch and prints the seed, the position and both answers.
 */
export const randomChains: Measurement = {
  title: `matches java-tron on chains of ${BLOCKS} random blocks`,
  gate: 2,
  night: 40,
  async run(options) {
    const reference = compiledReference();
    const release = namedRelease();
    const tally: Tally = new Map();
    await eachSeed(options, (chain) => runChain({ ...chain, blocks: BLOCKS, reference, release }, tally));
    const sum = [...tally.values()].reduce((total, { offered }) => total + offered, 0);
    const accepted = [...tally].map(([name, counts]) => `${name} ${counts.accepted}/${counts.offered}`).join(', ');
    return `${release}: ${sum} transactions, 0 mismatched (taken: ${accepted})`;
  },
};
