import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolderOf } from '../../config/flags.js';
import { lockFolder } from '../../files/folder-lock.js';
import { copyEnvironment, EnvironmentSnapshot } from '../../log/lmdb/copy-environment.js';
import { requireLog } from '../../log/log-file.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { whole } from '../command-line/progress.js';
import { readArguments } from '../command-line/read-arguments.js';
import { environmentFolders } from '../data-folder.js';
import type { Command } from './command.js';

/** Rewrites the databases of a data folder, so that they contain no free pages. */
export const compact: Command = {
  run,
};

/** Work folder for the copies, below the data folder. */
const WORK_FOLDER = 'compact';

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'compact');
  const output = new CommandOutput(parsed);
  const dataDir = dataFolderOf(parsed.flags);
  requireLog(dataDir);
  const lock = await lockFolder(dataDir);
  const databases: { readonly database: string; readonly before: number; readonly after: number }[] = [];
  const work = join(dataDir, WORK_FOLDER);
  try {
    await verifyInChild(dataDir);
    for (const folder of environmentFolders(dataDir)) {
      rmSync(work, { recursive: true, force: true });
      const file = join(dataDir, folder, 'data.mdb');
      const before = statSync(file).size;
      const snapshot = new EnvironmentSnapshot(join(dataDir, folder));
      try {
        snapshot.take();
        output.progress.begin(`compact ${folder}`, { unit: 'bytes' });
        await copyEnvironment(snapshot, join(work, folder), (bytes) => output.progress.add(bytes));
      } finally {
        await snapshot.close();
      }
      renameSync(join(work, folder, 'data.mdb'), file);
      const done = { database: folder, before, after: statSync(file).size };
      databases.push(done);
      if (!output.isJson) output.print(done);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    lock.close();
  }
  if (output.isJson) output.print({ databases });
  const freed = databases.reduce((sum, { before, after }) => sum + before - after, 0);
  output.summarize({ text: `freed ${whole(freed / 1_000_000)} MB in ${dataDir}`, next: nextCommand('run', parsed) });
  return 0;
}
