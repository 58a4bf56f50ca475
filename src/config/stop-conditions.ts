import { UsageError } from '../primitives/errors.js';
import { type Cron, parseCron } from './cron.js';
import { asText } from './hocon/hocon-value.js';
import { type ConfigKey, long, type RowTree, row } from './row.js';

/** Section `node.shutdown`; heights and counts as written, -1 when absent. */
export interface ShutdownConfig {
  readonly blockTime: Cron | undefined;
  readonly blockHeight: number;
  readonly blockCount: number;
}

/**
 * When to stop. Both absent: never. `height` is the last block to be stored, `time` sets it when a block's time
 * matches.
 */
interface StopCondition {
  readonly height?: number;
  readonly time?: Cron;
}

export const shutdownRows = {
  blockTime: blockTime(),
  blockHeight: long('node.shutdown.BlockHeight', -1, 'stop when the stored head is this block; 0 or below is off'),
  blockCount: long('node.shutdown.BlockCount', -1, 'stop after this many blocks; below 0 is off, 0 is refused'),
} as const satisfies RowTree;

/**
 * The checks of a start, in their order, with the head of the data folder.
 * @param headTime ms. @throws {UsageError} `Auto-stop params error: …`. Reference: Manager.initAutoStop.
 */
export function checkStopConditions(
  { blockTime, blockHeight: height, blockCount: count }: ShutdownConfig,
  headNum: number,
  headTime: number,
): StopCondition {
  const refuse = (message: string): never => {
    throw new UsageError(`Auto-stop params error: ${message}`);
  };
  if (height > 0 && height < headNum) refuse(`shutDownBlockHeight ${height} is less than headNum ${headNum}`);
  if (count === 0) refuse(`shutDownBlockCount ${count} is less than 1`);
  if (blockTime && blockTime.nextAfter(headTime) === undefined)
    refuse(`shutDownBlockTime ${blockTime.text} is illegal`);
  if (height > 0 && count > 0) refuse(`shutDownBlockHeight ${height} and shutDownBlockCount ${count} set both`);
  if (height > 0 && blockTime) refuse(`shutDownBlockHeight ${height} and shutDownBlockTime ${blockTime.text} set both`);
  if (count > 0 && blockTime) refuse(`shutDownBlockCount ${count} and shutDownBlockTime ${blockTime.text} set both`);
  if (blockTime) return { time: blockTime };
  if (count > 0) return { height: headNum + count };
  return height > 0 ? { height } : {};
}

/**
 * A text that is no cron expression is reported and ignored; a later release does not start with it.
 * Reference: Args.setParam.
 */
function blockTime(): ConfigKey<Cron | undefined> {
  const doc = 'Quartz cron text (6 or 7 fields, zone of the machine): stop at the first block whose time matches';
  return row<Cron | undefined>('node.shutdown.BlockTime', 'string', undefined, doc, (value, key, source) => {
    try {
      return parseCron(asText(value, key));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      source.warn(`${key} is ignored: ${error.message}`);
      return undefined;
    }
  });
}
