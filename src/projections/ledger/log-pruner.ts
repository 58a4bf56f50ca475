import type { Logger } from 'pino';
import type { BlockLog } from '../../log/block-log.js';
import { present } from '../../primitives/assert.js';
import type { Position } from './ledger-types.js';

/** A line in the log says so each time that this many blocks have left. */
const TOLD_BLOCKS = 10_000;

interface LogCutterOptions {
  readonly blocks: BlockLog;
  /** Blocks whose entries stay. */
  readonly retention: number | 'all';
  readonly log: Logger;
}

/** What stays for others. */
interface Needed {
  /** Changes up to this height are forgotten already. */
  readonly keptHeight: number;
  /** Entries above this one somebody still reads, or the stored state does not hold yet. */
  readonly seq: number;
}

/**
 * Lets the oldest blocks of a log leave (`tronicle.log.retention`), a few with each commit: irreversible ones that
 * nobody needs.
 */
export class LogPruner {
  private readonly options: LogCutterOptions;

  constructor(options: LogCutterOptions) {
    this.options = options;
  }

  /** Up to `count` blocks leave with the next commit. @returns whether any do */
  cut(count: number, { headNumber, solidifiedNumber }: Position, { keptHeight, seq }: Needed): boolean {
    const { blocks, retention } = this.options;
    if (retention === 'all') return false;
    const begin = blocks.begin.number;
    let last = Math.min(headNumber - retention, solidifiedNumber - 1, keptHeight, begin + count);
    while (last > begin && present(blocks.index.heightRow(last), 'heights between begin and head have rows').seq > seq)
      last--;
    if (last <= begin) return false;
    this.tell(begin, last);
    blocks.begin.moveTo(last);
    return true;
  }

  private tell(from: number, to: number): void {
    const { blocks, log } = this.options;
    const isFirst = blocks.begin.cut === undefined;
    if (!isFirst && Math.floor(to / TOLD_BLOCKS) === Math.floor(from / TOLD_BLOCKS)) return;
    log.info({ begin: to }, 'the blocks up to this one have left the log (tronicle.log.retention)');
  }
}
