import { httpContexts, type ServerName, serverNames } from '../../src/api/servers.js';
import type { Random } from '../fuzz/random.js';
import { FilterQuestionMaker, readLogParts } from './answers/make-filter-question.js';
import type { Question } from './answers/question.js';
import { requestBoth } from './answers/request-both.js';
import type { Measurement } from './run.js';

/** Number of blocks that are pushed during the requests. */
const BLOCKS = 200;
/** Share of the requests that concern filters. */
const ABOUT_FILTERS = 0.5;
const BROADCASTS = 0.1;
/**
 * Share of blocks after which no transactions are sent. java-tron writes nothing to its disk then, and serves the
 * state of a block below its newest solidified block as the solidified state.
 */
const QUIET = 0.5;
/** Share of blocks after which a block is confirmed by PBFT. */
const VOTES = 0.5;
/** Exclusive limit for the number of blocks from the block confirmed by PBFT to the head. */
const VOTED_BELOW = 5;
/**
 * Share of plain requests: for the newest block, or for lists whose order depends on the order in which blocks wrote
 * their rows.
 */
const PLAIN = 0.2;
const LISTS = ['listwitnesses', 'listproposals', 'listexchanges', 'getassetissuelist', 'getnowblock'];
const BLOCKS_REQUESTED_MAX = 6;

/**
 * Compares this node with java-tron while the last blocks of a recording are pushed between the requests. JSON-RPC
 * filters are created, polled and deleted. Transactions stay pending over several blocks. The head, the solidified
 * block and the block confirmed by PBFT advance.
 */
export const answersBetweenBlocks: Measurement = {
  title: 'matches java-tron while blocks arrive',
  gate: 5_000,
  night: 50_000,
  run: (options) =>
    requestBoth(options, { comingMax: BLOCKS }, async ({ nodes, recording, questions, broadcasts }) => {
      const filters = new FilterQuestionMaker(await readLogParts(recording));
      const perBlock = Math.ceil(options.count / BLOCKS);
      let head = 0;
      return async (numbers, at) => {
        if (at % perBlock === 0) {
          head = (await nodes.pushNext({ isQuiet: numbers.chance(QUIET) })) ?? head;
          if (numbers.chance(VOTES)) await nodes.vote(head - numbers.below(VOTED_BELOW));
        }
        if (numbers.chance(PLAIN)) return plain(numbers, head);
        const share = numbers.next();
        if (share < ABOUT_FILTERS) return filters.make(numbers, nodes.filters, head);
        return (share < ABOUT_FILTERS + BROADCASTS ? broadcasts : questions).make(numbers);
      };
    }),
};

function plain(numbers: Random, head: number): Question {
  const server = numbers.pick(serverNames);
  const number = head - numbers.below(BLOCKS_REQUESTED_MAX);
  const share = numbers.next();
  if (share < 0.5) return posted(server, numbers.pick(LISTS), {});
  if (share < 0.6) return posted(server, 'getblockbylatestnum', { num: 1 + numbers.below(BLOCKS_REQUESTED_MAX) });
  if (share < 0.7)
    return posted(server, 'getblockbylimitnext', { startNum: number, endNum: number + BLOCKS_REQUESTED_MAX });
  if (share < 0.8) return posted(server, 'getblockbynum', { num: number });
  const [method, params] = numbers.pick([
    ['eth_blockNumber', []],
    ['eth_getBlockByNumber', [numbers.pick(['latest', 'finalized', `0x${number.toString(16)}`]), false]],
  ]);
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { protocol: 'jsonrpc', server, method: 'POST', path: '/jsonrpc', contentType: 'application/json', body };
}

function posted(server: ServerName, name: string, request: object): Question {
  const body = Buffer.from(JSON.stringify(request));
  const path = `${httpContexts[server]}${name}`;
  return { protocol: 'http', server, method: 'POST', path, contentType: 'application/json', body };
}
