import type { Tally } from './differential/chain-run.js';
import { eachSeed } from './differential/each-seed.js';
import { runEventedChain } from './differential/events/evented-chain.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

const BLOCKS = 250;
const CONFIGURATIONS = 4;

/**
 * Grows random chains with contracts that write logs by random ABIs. Compares the messages that java-tron publishes for
 * each block on its native queue with those of this node's sink, text by text, with random configurations.
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
