import { dataFolderOf } from '../../config/flags.js';
import { requireLog } from '../../log/log-file.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { readArguments } from '../command-line/read-arguments.js';
import type { Command } from './command.js';

/** Verifies everything in a data folder. */
export const verify: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'verify');
  const output = new CommandOutput(parsed);
  const dataDir = dataFolderOf(parsed.flags);
  requireLog(dataDir);
  let isStarted = false;
  const report = await verifyInChild(dataDir, {
    onProgress: ({ bytes, bytesTotal }) => {
      if (!isStarted) output.progress.begin('verify', { unit: 'bytes', total: bytesTotal });
      isStarted = true;
      output.progress.set(bytes);
    },
  });
  output.print(report);
  output.summarize({ text: `${dataDir} is intact`, next: nextCommand('run', parsed) });
  return 0;
}
