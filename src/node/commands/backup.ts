import { existsSync, readdirSync } from 'node:fs';
import { itemAt } from '../../primitives/assert.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { backupFolder } from '../backup-folder.js';
import { BACKUP_RATE } from '../command-line/command-rows.js';
import { readArguments } from '../command-line/read-arguments.js';
import { requireData } from '../data-folder.js';
import type { Command } from './command.js';

/** Copies a data folder, also while its node is running. */
export const backup: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, 'backup');
  const target = itemAt(words, 0);
  const bytesPerSecond = rateOf(options.get('--rate'));
  const dataDir = flags.outputDirectory ?? 'output-directory';
  requireData(dataDir);
  if (existsSync(target) && readdirSync(target).length > 0) throw new UsageError(`${target} is not empty`);
  const started = Date.now();
  const done = await backupFolder({
    dataDir,
    target,
    bytesPerSecond,
    report: (bytes) => process.stderr.write(`${bytes} bytes copied\n`),
  });
  process.stdout.write(`${JSON.stringify({ ...done, seconds: (Date.now() - started) / 1000 })}\n`);
  return 0;
}

/** @throws {ArgumentError} neither `off` nor a positive number */
function rateOf(text: string | undefined): number | undefined {
  if (text === 'off') return undefined;
  if (text === undefined) return BACKUP_RATE;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new ArgumentError(`invalid --rate: ${text}; use a number of bytes per second, or off`);
  return Number(text);
}
