import { existsSync, mkdirSync } from 'node:fs';
import { readSignedBlocks, SignedBlocks, writeSignedBlocks } from '../../chain/production/signed-blocks.js';
import { lockFolder } from '../../files/folder-lock.js';
import { refuseExisting } from '../../files/new-file.js';
import { UsageError } from '../../primitives/errors.js';

/**
 * Writes the newest signed block of each witness of a data folder to a file.
 * @returns number of witnesses in the file
 * @throws {UsageError} the data folder does not exist, or the file exists and `isForced` is false
 * @throws {DamageError} a record is damaged
 */
export function exportProtection(file: string, dataDir: string, isForced: boolean): number {
  if (!existsSync(dataDir)) throw new UsageError(`data folder ${dataDir} does not exist; set the data folder with -d`);
  if (!isForced) refuseExisting(file);
  const { all } = SignedBlocks.open(dataDir);
  writeSignedBlocks(file, all);
  return all.length;
}

/**
 * Adds the signed blocks of a file to a data folder. If both have a block of a witness, the newer block remains.
 * @returns number of witnesses in the file
 * @throws {UsageError} the file does not exist, or a node uses the folder
 * @throws {DamageError} the file or a record is damaged
 */
export async function importProtection(file: string, dataDir: string): Promise<number> {
  if (!existsSync(file)) throw new UsageError(`file ${file} does not exist`);
  const imported = readSignedBlocks(file);
  mkdirSync(dataDir, { recursive: true });
  const lock = await lockFolder(dataDir);
  try {
    SignedBlocks.open(dataDir).merge(imported);
  } finally {
    lock.close();
  }
  return imported.length;
}
