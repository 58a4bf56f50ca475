import { UsageError } from '../primitives/errors.js';
import { type Cron, parseCron } from './cron.js';
import { asText } from './hocon/hocon-value.js';
import { type ConfigKey, long, type RowTree, row } from './row.js';

/** Section `node.shutdown`. Heights and counts are as configured; −1 if absent. */
export interface ShutdownConfig {
  readonly blockTime: Cron | undefined;
  readonly blockHeight: number;
  readonly blockCount: number;
}

/**
 * Stop condition. `height` is the height of the last block to store. With `time`, the last block to store is the first
 * one whose time matches. If both are absent, the node does not stop.
 */
interface StopCondition {
  readonly height?: number;
  readonly time?: Cron;
}

export const shutdownRows = {
  blockTime: blockTime(),
  blockHeight: long(
    'node.shutdown.BlockHeight',
    -1,
    'height of the last block to store before the node stops. 0 or less: the node does not stop at a height',
  ),
  blockCount: long(
    'node.shutdown.BlockCount',
    -1,
    'number of blocks that the node stores after its start before stopping. Below 0: the node does not count blocks. 0 is an error',
  ),
} as const satisfies RowTree;

/**
 * Checks the configured conditions against the head of the data folder, in java-tron's order. Called at the start.
 * Returns the stop condition. Reference: Manager.initAutoStop.
 * @param headTime time of the head block, in ms
 * @throws {UsageError} a condition is invalid; the text is java-tron's `Auto-stop params error: …`
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
 * Returns the key of the stop time. An invalid cron expression causes a warning and is ignored. Later releases do not
 * start with such an expression. Reference: Args.setParam.
 */
function blockTime(): ConfigKey<Cron | undefined> {
  const doc =
    'Quartz cron expression (6 or 7 fields, time zone of the machine); the node stops after the first block whose time matches the expression';
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
