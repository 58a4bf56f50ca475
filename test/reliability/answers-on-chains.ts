import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { recordRandomChain } from './answers/chain-recording.js';
import { namedRecording } from './answers/request-both.js';
import { compareAnswers } from './answers-alike.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Number of requests per chain. */
const QUESTIONS = 6000;

/**
 * Compares the answers of this node with those of java-tron on random chains. The states of these chains contain rows
 * that occur in no recording.
 */
export const answersOnChains: Measurement = {
  title: 'matches java-tron on random chains',
  gate: QUESTIONS,
  night: 20 * QUESTIONS,
  async run({ count, folder, random }) {
    const release = namedRelease();
    const lines: string[] = [];
    for (let at = 0; at * QUESTIONS < count; at++) {
      const seed = Math.floor(random() * 2 ** 31);
      const own = join(folder, `${at}`);
      mkdirSync(own);
      const recording = await recordRandomChain({
        seed,
        folder: own,
        reference: compiledReference(),
        release,
        questions: namedRecording(),
      });
      const nodes = join(own, 'nodes');
      mkdirSync(nodes);
      const options = { count: Math.min(QUESTIONS, count - at * QUESTIONS), folder: nodes, random };
      lines.push(`chain ${seed}: ${await compareAnswers(options, recording)}`);
    }
    return `${release}, ${lines.join('; ')}`;
  },
};
