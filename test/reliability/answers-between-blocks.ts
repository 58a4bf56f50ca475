import assert from 'node:assert/strict';
import { join } from 'node:path';
import { apiRelease } from '../../src/api/releases/releases.js';
import { flagsOf } from '../conformance/recording.js';
import { Random } from '../fuzz/random.js';
import { golden } from '../support/tronicle.js';
import { BroadcastMaker } from './answers/make-broadcast.js';
import { FilterQuestionMaker, readLogParts } from './answers/make-filter-question.js';
import { QuestionMaker } from './answers/make-question.js';
import { readSeeds } from './answers/seeds.js';
import { shownDifference } from './answers/shown-difference.js';
import { TwoNodes } from './answers/two-nodes.js';
import { compiledReference } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Environment variable: a recording with transcripts. */
const RECORDING = 'TRONICLE_RECORDING';
/** Blocks that come between the questions. */
const BLOCKS = 200;
/** Of all questions. */
const ABOUT_FILTERS = 0.5;
const BROADCASTS = 0.1;
const SHOWN = 20;

/**
 * As `answers-alike`, but the last blocks of the recording come between the questions: filters over JSON-RPC are made, read and ended,
 * transactions wait over several blocks, heads and solidified states move on.
 */
export const answersBetweenBlocks: Measurement = {
  title: 'java-tron answers as this node does while blocks come',
  gate: 5_000,
  night: 50_000,
  async run({ count, folder, random }) {
    const reference = compiledReference();
    const recording = process.env[RECORDING] ?? join(golden, 'off');
    const release = apiRelease(flagsOf(recording).includes('4.8.2') ? '4.8.2' : '4.7.2');
    const seeds = await readSeeds(recording);
    const questions = new QuestionMaker(seeds, release);
    const broadcasts = new BroadcastMaker(seeds, release);
    const filters = new FilterQuestionMaker(await readLogParts(recording));
    const nodes = await TwoNodes.start(recording, reference, folder, { comingMax: BLOCKS });
    const differences: string[] = [];
    const first = Math.floor(random() * 2 ** 30);
    const perBlock = Math.ceil(count / BLOCKS);
    let head = 0;
    try {
      for (let at = 0; at < count; at++) {
        if (at % perBlock === 0) head = (await nodes.pushNext()) ?? head;
        const numbers = new Random(first + at, seeds.bytes);
        const share = numbers.next();
        const question =
          share < ABOUT_FILTERS
            ? filters.make(numbers, nodes.filters, head)
            : (share < ABOUT_FILTERS + BROADCASTS ? broadcasts : questions).make(numbers);
        const difference = await nodes.ask(question);
        if (difference !== undefined) differences.push(shownDifference(difference));
      }
    } finally {
      await nodes.close();
    }
    const text = `${count} questions from ${first} on, ${nodes.filters.length} filters, ${differences.length} answers differ`;
    assert.equal(differences.length, 0, [text, ...differences.slice(0, SHOWN)].join('\n'));
    return text;
  },
};
