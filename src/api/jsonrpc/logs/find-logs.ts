import { TransactionRet } from '../../../codec/generated/messages.js';
import { toHex } from '../../../primitives/bytes.js';
import type { ChainView } from '../../context/api-context.js';
import { BudgetExceededError } from '../../context/call-budget.js';
import type { ApiRelease } from '../../releases/api-release.js';
import { RawJson } from '../envelope.js';
import { tooManyResults } from '../rpc-error.js';
import { type LogFilter, type LogQuery, logTest } from './log-filter.js';
import type { LogIndex } from './log-index.js';
import { type RenderedLog, renderLogs } from './rendered-logs.js';

/**
 * Maximum number of logs in a result. In addition, fewer than this number of blocks may have matching logs. A query
 * without addresses and topics must cover fewer than this number of blocks. Reference: LogBlockQuery.MAX_RESULT.
 */
const RESULTS_MAX = 10_000;

/**
 * Maximum number of blocks above the indexed height that a query may cover. The query must read each of these blocks.
 */
const BLOCKS_MAX = 100_000;
/** Number of blocks that are read between two checks of the time budget. */
const BLOCKS_BY_THE_CLOCK = 16;
/**
 * Java's Long.MAX_VALUE, rounded to a double (2^63). java-tron uses it as the height of the newest block, so a range
 * from this height starts at the newest block.
 */
const INT64_MAX = 2 ** 63;

/** Maximum number of blocks in the cache. A block without logs is also an entry. */
const KEPT_BLOCKS_MAX = 20_000;
const KEPT_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Finds logs. Caches the rendered logs of recently read blocks, because clients read the newest blocks repeatedly.
 */
export class LogSearch {
  private readonly index: LogIndex | undefined;
  /** Rendered logs of each cached block, by block id (hex). */
  private readonly cached = new Map<string, readonly RenderedLog[]>();
  private keptCharacters = 0;

  private readonly hasTime: boolean;

  /** @param index log index; without one, a query reads every block of its range */
  constructor({ timesLogs }: Pick<ApiRelease, 'timesLogs'>, index?: LogIndex) {
    this.hasTime = timesLogs;
    this.index = index;
  }

  /** Returns the matching logs as a JSON list. @throws as {@link find} */
  list(view: ChainView, query: LogQuery, budgetMs?: number): RawJson {
    return new RawJson(`[${this.find(view, query, budgetMs).join(',')}]`);
  }

  /**
   * Returns the matching logs of a range of blocks, each as JSON text. Reference: LogBlockQuery, LogMatch.
   * @param budgetMs time budget in ms
   * @throws {RpcError} too many blocks or logs
   * @throws {BudgetExceededError} the time budget is exceeded
   */
  find(view: ChainView, { filter, from, to }: LogQuery, budgetMs = Number.POSITIVE_INFINITY): string[] {
    const started = performance.now();
    const first = from >= INT64_MAX ? view.headNumber : Math.max(from, 0);
    const last = Math.min(to ?? view.headNumber, view.headNumber);
    if (isEveryBlock(filter) && last - first + 1 >= RESULTS_MAX) throw tooMany();
    const matches = logTest(filter);
    const found: string[] = [];
    let candidates = 0;
    let checked = 0;
    const checkTime = (): void => {
      if (performance.now() - started > budgetMs) throw new BudgetExceededError();
    };
    for (const number of heights({ filter, first, last, index: this.index, checkTime })) {
      const count = found.length;
      if (++checked % BLOCKS_BY_THE_CLOCK === 0) checkTime();
      for (const log of this.logsOf(view, number)) if (matches(log)) found.push(log.text);
      if (found.length > count && ++candidates >= RESULTS_MAX) throw tooMany();
      if (found.length > RESULTS_MAX) throw tooMany();
    }
    return found;
  }

  /** Returns the logs of a block. A block that is not stored, in a bootstrapped or pruned chain, has no logs. */
  private logsOf(view: ChainView, number: number): readonly RenderedLog[] {
    const id = view.blockIdAt(number);
    if (id === undefined) return [];
    const key = toHex(id);
    const known = this.cached.get(key);
    if (known !== undefined) return known;
    const results = view.block(number)?.results;
    if (results === undefined) return [];
    const infos = TransactionRet.decode(results).transactioninfo;
    const logs = renderLogs({ block: { id, number }, infos }, { removed: false, hasTime: this.hasTime });
    if (this.cached.size >= KEPT_BLOCKS_MAX || this.keptCharacters > KEPT_CHARACTERS_MAX) {
      this.cached.clear();
      this.keptCharacters = 0;
    }
    this.cached.set(key, logs);
    for (const { text } of logs) this.keptCharacters += text.length;
    return logs;
  }
}

interface HeightsOptions {
  readonly filter: LogFilter;
  readonly first: number;
  readonly last: number;
  readonly index: LogIndex | undefined;
  /** Called regularly. @throws {BudgetExceededError} the time budget is exceeded */
  checkTime(): void;
}

/**
 * Returns the heights of blocks to read: first every imported block below the start of the block log, then the indexed
 * blocks that may match, then every block above the indexed height.
 * @throws {RpcError} the query must read too many blocks or index rows
 */
function* heights({ filter, first, last, index, checkTime }: HeightsOptions): Generator<number> {
  const indexed = index === undefined || isEveryBlock(filter) ? -1 : Math.min(index.indexedHeight(), last);
  const imported = indexed < 0 ? undefined : index?.importedBlocks(first);
  const [from, to] = [imported?.from ?? 0, Math.min(last, imported?.to ?? -1)];
  if (last - Math.max(indexed, first) + Math.max(0, to - from + 1) >= BLOCKS_MAX)
    throw tooManyResults(`query covers more than ${BLOCKS_MAX} blocks`);
  for (let number = from; number <= to; number++) yield number;
  if (index !== undefined && first <= indexed) yield* index.candidates(filter, first, indexed, checkTime);
  for (let number = Math.max(first, indexed + 1); number <= last; number++) yield number;
}

function isEveryBlock({ addresses, topics }: LogFilter): boolean {
  return addresses.length === 0 && topics.every((words) => words.length === 0);
}

function tooMany(): Error {
  return tooManyResults(`query returned more than ${RESULTS_MAX} results`);
}
