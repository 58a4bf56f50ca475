import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../primitives/errors.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Reads everything in a data folder and compares it. */
export const verify: Command = {
  name: 'verify',
  summary:
    'reads log and state of a data folder whole: hash chain, checksums, and the digest of the state against the log',
  usage: 'tronicle verify [-d <data folder>]',
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, {});
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) throw new UsageError(`${dataDir} holds no Tronicle data`);
  process.stdout.write(`${JSON.stringify(await verifyInChild(dataDir))}\n`);
  return 0;
}
