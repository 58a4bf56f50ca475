import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../primitives/errors.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Verifies everything in a data folder. */
export const verify: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, {});
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) throw new UsageError(`${dataDir} has no Tronicle data`);
  process.stdout.write(`${JSON.stringify(await verifyInChild(dataDir))}\n`);
  return 0;
}
