import { dataFolderOf } from '../../config/flags.js';
import { requireLog } from '../../log/log-file.js';
import { itemAt } from '../../primitives/assert.js';
import { ArgumentError } from '../../primitives/errors.js';
import { backupFolder } from '../backup-folder.js';
import { CommandOutput } from '../command-line/command-output.js';
import { whole } from '../command-line/progress.js';
import { readArguments } from '../command-line/read-arguments.js';
import { BACKUP_RATE } from '../command-line/rows/data-rows.js';
import type { Command } from './command.js';

/** Copies a data folder, even while its node is running. */
export const backup: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'backup');
  const { options, flags, words } = parsed;
  const output = new CommandOutput(parsed);
  const target = itemAt(words, 0);
  const bytesPerSecond = rateOf(options.get('--rate'));
  const dataDir = dataFolderOf(flags);
  requireLog(dataDir);
  output.progress.begin('backup', { unit: 'bytes' });
  const done = await backupFolder({
    dataDir,
    target,
    bytesPerSecond,
    report: (bytes) => output.progress.set(bytes),
  });
  output.print({ ...done, seconds: output.seconds });
  output.summarize({
    text: `copied ${whole(done.rows)} rows up to block ${done.head} to ${target}`,
    next: `tronicle verify -d ${target}`,
  });
  return 0;
}

/** Parses `--rate`. Returns bytes per second; undefined means no limit. @throws {ArgumentError} invalid value */
function rateOf(text: string | undefined): number | undefined {
  if (text === 'off') return undefined;
  if (text === undefined) return BACKUP_RATE;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new ArgumentError(`invalid --rate: ${text}; use a number of bytes per second, or off`);
  return Number(text);
}
