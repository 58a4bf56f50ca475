import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from './byte-reader.js';
import { type CheckpointRow, readCheckpointRow } from './checkpoint-rows.js';
import { JavaDataError } from './java-data-error.js';
import { JavaStore } from './java-store.js';

/** Folder of the newest checkpoint of version 1. */
export const CHECKPOINT_V1 = 'tmp';
/** Folder of the checkpoints of version 2, by the ms at which they were made. */
export const CHECKPOINT_V2 = 'checkpoint';
/** A checkpoint older than the newest by more is not applied. Reference: SnapshotManager.checkV2. */
const EXPIRY_MS = 2 * 60 * 1000;
/** Every folder of the reference has it, and no other program's. */
const MARK = 'properties';

/**
 * Finds the folder of the stores: the one given, its `database`, or that of an `output-directory` in it.
 * @throws {JavaDataError}
 */
export function findStores(path: string): string {
  if (!existsSync(path)) throw new JavaDataError(path, 'it does not exist');
  const folders = [path, join(path, 'database'), join(path, 'output-directory', 'database')];
  const found = folders.find((folder) => statSync(join(folder, MARK), { throwIfNoEntry: false })?.isDirectory());
  if (found === undefined)
    throw new JavaDataError(path, 'it is no data folder of java-tron: it has no store "properties"');
  return found;
}

/** One checkpoint, as the reference would apply it at its start. */
export interface Checkpoint {
  readonly path: string;
  /** @throws {JavaDataError} */
  rows(): IterableIterator<CheckpointRow>;
}

/**
 * The checkpoints to apply, oldest first: those of version 2 that have not expired, else the one of version 1.
 * Reference: SnapshotManager.check.
 */
export function findCheckpoints(stores: string): Checkpoint[] {
  const folder = join(stores, CHECKPOINT_V2);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names) {
    if (!/^\d{1,15}$/.test(name)) throw new JavaDataError(join(folder, name), 'it is no checkpoint');
  }
  const newest = Number(names.at(-1) ?? 0);
  const paths =
    names.length > 0
      ? names.filter((name) => newest - Number(name) <= EXPIRY_MS).map((name) => join(folder, name))
      : [join(stores, CHECKPOINT_V1)].filter((path) => existsSync(path));
  return paths.map((path, at) => ({ path, rows: () => readCheckpoint(path, at === paths.length - 1) }));
}

function* readCheckpoint(path: string, isNewest: boolean): IterableIterator<CheckpointRow> {
  // One whose batch is cut off was never followed by a flush, so the stores stand before it.
  const rows = new JavaStore({ folder: path, ...(isNewest ? { isCovered: () => true } : {}) }).rows();
  try {
    while (rows.next()) yield readCheckpointRow(rows.key, rows.value);
  } catch (error) {
    if (error instanceof FormatError) throw new JavaDataError(path, error.message, { cause: error });
    throw error;
  } finally {
    rows.close();
  }
}
