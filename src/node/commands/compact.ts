import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../files/folder-lock.js';
import { copyEnvironment, EnvironmentSnapshot } from '../../log/lmdb/copy-environment.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { readArguments } from '../command-line/read-arguments.js';
import { environmentFolders, requireData } from '../data-folder.js';
import type { Command } from './command.js';

/** Rewrites the databases of a data folder without free pages. */
export const compact: Command = {
  run,
};

/** Work folder for the copies, below the data folder. */
const WORK_FOLDER = 'compact';

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, 'compact');
  const dataDir = flags.outputDirectory ?? 'output-directory';
  requireData(dataDir);
  const lock = await lockFolder(dataDir);
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
        await copyEnvironment(snapshot, join(work, folder), () => {});
      } finally {
        await snapshot.close();
      }
      renameSync(join(work, folder, 'data.mdb'), file);
      process.stdout.write(`${JSON.stringify({ database: folder, before, after: statSync(file).size })}\n`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    lock.close();
  }
  return 0;
}
