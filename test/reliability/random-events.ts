import type { Tally } from './differential/chain-run.js';
import { eachSeed } from './differential/each-seed.js';
import { runEventedChain } from './differential/events/evented-chain.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

const BLOCKS = 250;
const CONFIGURATIONS = 4;

/**
 * Compares the events of this node with those of java-tron on random chains, with random configurations. Contracts
 * write logs by random ABIs. For each block, the messages on java-tron's native queue must equal the texts of this
 * node's sink.
 */
export const randomEvents: Measurement = {
  title: `matches the events of java-tron on chains of ${BLOCKS} random blocks with ${CONFIGURATIONS} configurations each`,
  gate: 2,
  night: 40,
  async run(options) {
    const common = { blocks: BLOCKS, reference: compiledReference(), release: namedRelease() };
    const tally: Tally = new Map();
    let compared = 0;
    await eachSeed(options, async (chain) => {
      compared += await runEventedChain({ ...chain, ...common, configurations: CONFIGURATIONS }, tally);
    });
    return `${common.release}: ${compared} messages, 0 mismatched`;
  },
};
