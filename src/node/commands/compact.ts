import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../files/folder-lock.js';
import { copyEnvironment, EnvironmentSnapshot } from '../../log/lmdb/copy-environment.js';
import { UsageError } from '../../primitives/errors.js';
import { verifyInChild } from '../../projections/verify/verify-in-child.js';
import { environmentFolders } from '../data-folder.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Writes the databases of a data folder anew, without the room that rows which left them had. */
export const compact: Command = {
  name: 'compact',
  summary: 'writes the databases of a data folder anew without free room, so that the disk gets it back',
  usage: [
    'tronicle compact [-d <data folder>]',
    '',
    'The node must not run. The folder is checked first. One database after the other is copied beside the old one, read again and compared, and then takes its',
    'place in one step: a kill, or a full disk, leaves the old one.',
  ].join('\n'),
  run,
};

/** Folder below the data folder in which the copies grow. */
const WORK_FOLDER = 'compact';

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, {});
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) throw new UsageError(`${dataDir} holds no Tronicle data`);
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
