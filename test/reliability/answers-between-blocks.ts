import { itemAt } from '../../src/domain/assert.js';
import { askBoth } from './answers/ask-both.js';
import { FilterQuestionMaker, readLogParts } from './answers/make-filter-question.js';
import type { Question } from './answers/question.js';
import type { Measurement } from './run.js';

/** Blocks that come between the questions. */
const BLOCKS = 200;
/** Of all questions. */
const ABOUT_FILTERS = 0.5;
const BROADCASTS = 0.1;
/** Lists whose order is that of the blocks which wrote their rows: one of them behind each block. */
const LISTS = ['listwitnesses', 'listproposals', 'listexchanges', 'getassetissuelist'];

/**
 * As `answers-alike`, but the last blocks of the recording come between the questions: filters over JSON-RPC are made, read and ended,
 * transactions wait over several blocks, heads and solidified states move on.
 */
export const answersBetweenBlocks: Measurement = {
  title: 'java-tron answers as this node does while blocks come',
  gate: 5_000,
  night: 50_000,
  run: (options) =>
    askBoth(options, { comingMax: BLOCKS }, async ({ nodes, recording, questions, broadcasts }) => {
      const filters = new FilterQuestionMaker(await readLogParts(recording));
      const perBlock = Math.ceil(options.count / BLOCKS);
      let head = 0;
      return async (numbers, at) => {
        if (at % perBlock === 0) {
          head = (await nodes.pushNext()) ?? head;
          return listed(itemAt(LISTS, head % LISTS.length));
        }
        const share = numbers.next();
        if (share < ABOUT_FILTERS) return filters.make(numbers, nodes.filters, head);
        return (share < ABOUT_FILTERS + BROADCASTS ? broadcasts : questions).make(numbers);
      };
    }),
};

function listed(name: string): Question {
  return { protocol: 'http', server: 'fullnode', method: 'GET', path: `/wallet/${name}` };
}
