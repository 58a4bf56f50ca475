import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { readArguments } from '../command-line/read-arguments.js';
import { requireData } from '../data-folder.js';
import type { Command } from './command.js';

/** Verifies everything in a data folder. */
export const verify: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, 'verify');
  const dataDir = flags.outputDirectory ?? 'output-directory';
  requireData(dataDir);
  process.stdout.write(`${JSON.stringify(await verifyInChild(dataDir))}\n`);
  return 0;
}
