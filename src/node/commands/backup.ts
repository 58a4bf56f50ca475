import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../primitives/errors.js';
import { backupFolder } from '../backup-folder.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { BACKUP_RATE, CommandUsageError } from './command-help.js';

/** Copies a data folder, also while its node is running. */
export const backup: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, { '--rate': 'value' });
  const [target] = words;
  if (target === undefined || words.length > 1) throw CommandUsageError.of('backup');
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) throw new UsageError(`${dataDir} has no Tronicle data`);
  if (existsSync(target) && readdirSync(target).length > 0) throw new UsageError(`${target} is not empty`);
  const started = Date.now();
  const done = await backupFolder({
    dataDir,
    target,
    bytesPerSecond: rateOf(options.get('--rate')),
    report: (bytes) => process.stderr.write(`${bytes} bytes copied\n`),
  });
  process.stdout.write(`${JSON.stringify({ ...done, seconds: (Date.now() - started) / 1000 })}\n`);
  return 0;
}

/** @throws {UsageError} neither `off` nor a positive number */
function rateOf(text: string | undefined): number | undefined {
  if (text === 'off') return undefined;
  if (text === undefined) return BACKUP_RATE;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`invalid --rate: ${text}; use a number of bytes per second, or off`);
  return Number(text);
}
