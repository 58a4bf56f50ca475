import { dataFolderOf } from '../../config/flags.js';
import { requireLog } from '../../log/log-file.js';
import { lockForReading } from '../../log/reader-lock.js';
import { DamageError } from '../../primitives/errors.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import type { VerifyReport } from '../../projections/verify/verify-ledger.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { readArguments } from '../command-line/read-arguments.js';
import { isInUse } from '../doctor/data.js';
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
  output.print(await verified(dataDir, output));
  output.summarize({ text: `${dataDir} is intact`, next: nextCommand('run', parsed) });
  return 0;
}

/**
 * Checks a folder. Repeats the check if a node has started during the check, because the writes of that node look
 * like damage.
 */
async function verified(dataDir: string, output: CommandOutput): Promise<VerifyReport> {
  const isWritten = await isInUse(dataDir);
  if (isWritten) lockForReading(dataDir)?.close();
  try {
    return await checked(dataDir, output, isWritten);
  } catch (error) {
    if (isWritten || !(error instanceof DamageError) || !(await isInUse(dataDir))) throw error;
    return checked(dataDir, output, true);
  }
}

function checked(dataDir: string, { progress }: CommandOutput, isWritten: boolean): Promise<VerifyReport> {
  let isStarted = false;
  return verifyInChild(dataDir, {
    isWritten,
    onProgress: ({ bytes, bytesTotal }) => {
      if (!isStarted) progress.begin('verify', { unit: 'bytes', total: bytesTotal });
      isStarted = true;
      progress.set(bytes);
    },
  });
}
