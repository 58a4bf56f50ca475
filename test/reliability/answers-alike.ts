import assert from 'node:assert/strict';
import { join } from 'node:path';
import { apiRelease } from '../../src/api/releases/releases.js';
import { flagsOf } from '../conformance/recording.js';
import { Random } from '../fuzz/random.js';
import { golden } from '../support/tronicle.js';
import { BroadcastMaker } from './answers/make-broadcast.js';
import { QuestionMaker } from './answers/make-question.js';
import { readSeeds } from './answers/seeds.js';
import { shownDifference } from './answers/shown-difference.js';
import { TwoNodes } from './answers/two-nodes.js';
import { compiledReference } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Environment variable: a recording with transcripts. */
const RECORDING = 'TRONICLE_RECORDING';
/** Of all questions; what they leave behind is the same in both nodes, so they come last. */
const BROADCASTS = 0.15;
const SHOWN = 20;

/**
 * Mutated questions of a recording over HTTP, JSON-RPC and gRPC, then mutated broadcasts, to java-tron itself and to a node of ours on the
 * same chain: status, type and text must be the same, but for what `answers/comparable.ts` names. Each question follows from its number.
 */
export const answersAlike: Measurement = {
  title: 'java-tron answers mutated questions as this node does',
  gate: 20_000,
  night: 500_000,
  async run({ count, folder, random }) {
    const reference = compiledReference();
    const recording = process.env[RECORDING] ?? join(golden, 'off');
    const release = apiRelease(flagsOf(recording).includes('4.8.2') ? '4.8.2' : '4.7.2');
    const seeds = await readSeeds(recording);
    const [questions, broadcasts] = [new QuestionMaker(seeds, release), new BroadcastMaker(seeds, release)];
    const nodes = await TwoNodes.start(recording, reference, folder);
    const differences: string[] = [];
    const first = Math.floor(random() * 2 ** 30);
    try {
      for (let at = 0; at < count; at++) {
        const numbers = new Random(first + at, seeds.bytes);
        const isBroadcast = at >= count * (1 - BROADCASTS);
        const difference = await nodes.ask(isBroadcast ? broadcasts.make(numbers) : questions.make(numbers));
        if (difference !== undefined) differences.push(shownDifference(difference));
      }
    } finally {
      await nodes.close();
    }
    const text = `${count} questions from ${first} on, ${differences.length} answers differ`;
    assert.equal(differences.length, 0, [text, ...differences.slice(0, SHOWN)].join('\n'));
    return text;
  },
};
