import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../primitives/errors.js';
import { backupFolder } from '../backup-folder.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Bytes of rows per second; what the check of a folder beside a running node takes too. */
const RATE = 104_857_600;

/** Copies the data folder of a running node. */
export const backup: Command = {
  name: 'backup',
  summary: 'copies a data folder as it is at one moment, while its node runs or not; the copy starts elsewhere',
  usage: [
    'tronicle backup <target folder> [-d <data folder>] [--rate <bytes per second> | --rate off]',
    '',
    `The target must not exist. By default ${RATE} bytes of rows are copied per second. The files of a running node grow meanwhile by`,
    'what it changes. Places of sinks are copied too: a copy that runs beside the original needs other sinks.',
  ].join('\n'),
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, { '--rate': 'value' });
  const [target] = words;
  if (target === undefined || words.length > 1) throw new UsageError(backup.usage);
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) throw new UsageError(`${dataDir} holds no Tronicle data`);
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

/** @throws {UsageError} neither `off` nor a number of bytes above 0 */
function rateOf(text: string | undefined): number | undefined {
  if (text === 'off') return undefined;
  if (text === undefined) return RATE;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`--rate needs a number of bytes per second or off, not ${text}`);
  return Number(text);
}
