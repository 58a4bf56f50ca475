import { TransactionRet } from '../../log/codec/generated/messages.js';
import { decodeBlock } from '../../vm/block/decoded-block.js';
import type { ChainView } from '../api-context.js';
import { type LogQuery, matchBlock, matchesLog } from './log-filter.js';
import { tooManyResults } from './rpc-error.js';

/** Blocks that may be looked at, and logs that may be answered. Reference: LogBlockQuery.MAX_RESULT. */
const RESULTS_MAX = 10_000;

/** Blocks that one question may read: they are read one by one, without an index, while nothing else is served. */
const BLOCKS_MAX = 100_000;
/** As a first block it stands for the newest. */
const INT64_MAX = 2 ** 63;

/** The logs of a range of blocks. Reference: LogBlockQuery, LogMatch. @throws {RpcError} too many of either */
export function findLogs(view: ChainView, { filter, from, to }: LogQuery): object[] {
  const first = from >= INT64_MAX ? view.headNumber : Math.max(from, 0);
  const last = Math.min(to ?? view.headNumber, view.headNumber);
  const isEveryBlock = filter.addresses.length === 0 && filter.topics.every((topics) => topics.length === 0);
  if (isEveryBlock && last - first + 1 >= RESULTS_MAX) throw tooMany();
  if (last - first >= BLOCKS_MAX) throw tooManyResults(`query covers more than ${BLOCKS_MAX} blocks`);
  const found: object[] = [];
  let candidates = 0;
  for (let number = first; number <= last; number++) {
    const stored = view.block(number)!;
    if (stored.results.length === 0) continue;
    const infos = TransactionRet.decode(stored.results).transactioninfo;
    if (!infos.some(({ log }) => log.some((entry) => matchesLog(filter, entry)))) continue;
    if (++candidates >= RESULTS_MAX) throw tooMany();
    found.push(...matchBlock(filter, { block: decodeBlock(stored.block), infos }, false));
    if (found.length > RESULTS_MAX) throw tooMany();
  }
  return found;
}

function tooMany(): Error {
  return tooManyResults(`query returned more than ${RESULTS_MAX} results`);
}
