import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from './byte-reader.js';
import { type CheckpointRow, readCheckpointRow } from './checkpoint-rows.js';
import { JavaDataError } from './java-data-error.js';
import { JavaStore } from './java-store.js';

/** Name of the folder with the checkpoint of version 1. */
export const CHECKPOINT_V1 = 'tmp';
/** Name of the folder with the checkpoints of version 2. The name of each checkpoint is its creation time in ms. */
export const CHECKPOINT_V2 = 'checkpoint';
/**
 * Time in ms after which a checkpoint expires, measured from the newest checkpoint.
 * Reference: SnapshotManager.checkV2.
 */
const EXPIRY_MS = 2 * 60 * 1000;
/** Store that exists in every data folder of java-tron, and in no data folder of other programs. */
const MARK = 'properties';

/**
 * Finds the folder of the stores: the given folder, its `database`, or the `database` of its `output-directory`.
 * @throws {JavaDataError} the folder does not exist, or contains no stores
 */
export function findStores(path: string): string {
  if (!existsSync(path)) throw new JavaDataError(path, 'does not exist');
  const folders = [path, join(path, 'database'), join(path, 'output-directory', 'database')];
  const found = folders.find((folder) => statSync(join(folder, MARK), { throwIfNoEntry: false })?.isDirectory());
  if (found === undefined)
    throw new JavaDataError(path, 'not a data folder of java-tron: the subfolder "properties" is missing');
  return found;
}

/** One checkpoint that java-tron would apply when it starts. */
export interface Checkpoint {
  readonly path: string;
  /** Iterates over the rows of the checkpoint. @throws {JavaDataError} the checkpoint is damaged */
  rows(): IterableIterator<CheckpointRow>;
}

/**
 * Returns the checkpoints to apply, oldest first. If there are checkpoints of version 2, returns those that have not
 * expired. Otherwise returns the checkpoint of version 1, if it exists. Reference: SnapshotManager.check.
 * @throws {JavaDataError} the folder of checkpoints contains another file
 */
export function findCheckpoints(stores: string): Checkpoint[] {
  const folder = join(stores, CHECKPOINT_V2);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names) {
    if (!/^\d{1,15}$/.test(name)) throw new JavaDataError(join(folder, name), 'not a checkpoint');
  }
  const newest = Number(names.at(-1) ?? 0);
  const paths =
    names.length > 0
      ? names.filter((name) => newest - Number(name) <= EXPIRY_MS).map((name) => join(folder, name))
      : [join(stores, CHECKPOINT_V1)].filter((path) => existsSync(path));
  return paths.map((path, at) => ({ path, rows: () => readCheckpoint(path, at === paths.length - 1) }));
}

function* readCheckpoint(path: string, isNewest: boolean): IterableIterator<CheckpointRow> {
  // In the newest checkpoint, a truncated batch is acceptable: java-tron had not started to write its rows to the
  // stores.
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
