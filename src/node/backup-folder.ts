import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copySignedBlocks } from '../chain/production/signed-blocks.js';
import { type FolderLock, tryLockFolder } from '../files/folder-lock.js';
import { checkFreeSpace } from '../files/free-space.js';
import { requireEmpty } from '../files/new-file.js';
import { isDraft } from '../files/replace-file.js';
import { BlockLog } from '../log/block-log.js';
import { copyEnvironment, EnvironmentSnapshot } from '../log/lmdb/copy-environment.js';
import { LogMarker } from '../log/log-marker.js';
import { lockForReading } from '../log/reader-lock.js';
import { present } from '../primitives/assert.js';
import { toHex } from '../primitives/bytes.js';
import { DamageError, TronError, UsageError } from '../primitives/errors.js';
import { BASE_FOLDER, refuseUnfinished } from '../projections/checkpoints/base-rows.js';
import { decodeStateCursor, type StateCursor } from '../projections/state/state-cursor.js';
import { CheckPace } from '../projections/verify/check-pace.js';
import { verifyInChild } from '../projections/verify/verify-in-child.js';
import { environmentFolders } from './data-folder.js';

interface BackupOptions {
  readonly dataDir: string;
  /** Target folder. It must be empty or not exist. */
  readonly target: string;
  /** Limit in bytes per second; undefined for no limit. */
  readonly bytesPerSecond: number | undefined;
  readonly report: (bytes: number) => void;
}

interface BackupResult {
  readonly head: number;
  readonly headId: string;
  readonly digest: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Returns the log sequence number at the start of a database key or of a cursor (first eight bytes). */
const seqOf = (bytes: Uint8Array): number => Number(Buffer.from(bytes).readBigUInt64BE(0));
/** Number of attempts to find state and log at the same entry. */
const ATTEMPTS = 20;
/** Time between two attempts, in ms. */
const WAIT_MS = 25;

/**
 * Makes a consistent copy of a data folder, even if a node runs in it. Writes the copy next to the target and renames
 * it at the end. After an error, no copy remains.
 * @throws {UsageError} the target is not empty, another process writes a backup to it, or this process may not write
 * `lock.mdb` while a node runs in the data folder
 * @throws {TronError} STORAGE_FULL, STORAGE_FAILED, or BACKUP if state and log were never at the same entry
 * @throws {UsageError} the data folder has an unfinished bootstrap
 * @throws {DamageError} the data folder is damaged
 */
export async function backupFolder({ dataDir, target, bytesPerSecond, report }: BackupOptions): Promise<BackupResult> {
  refuseUnfinished(dataDir);
  const draft = join(dirname(target), `.${basename(target)}.part`);
  const pace = new CheckPace(bytesPerSecond, report);
  mkdirSync(draft, { recursive: true });
  const draftLock = tryLockFolder(draft);
  if (draftLock === undefined) {
    const remedy = 'wait until it has finished, or use another target';
    throw new UsageError(`another process writes a backup to ${target}; ${remedy}`);
  }
  let lock: FolderLock | undefined;
  try {
    requireEmpty(target);
    for (const name of readdirSync(draft)) rmSync(join(draft, name), { recursive: true });
    // A running node has verified the folder at its start. Without a running node, the folder is verified now, because
    // LMDB must not open an unverified folder.
    lock = tryLockFolder(dataDir);
    if (lock === undefined) lock = lockForReading(dataDir);
    else await verifyInChild(dataDir);
    // Copies sink cursors and base rows (the rows that `bootstrap` converted) before the log, so that the copied log
    // contains every entry to which a copied cursor refers.
    let bytes = copyFiles(dataDir, draft, 'streams', pace) + copyFiles(dataDir, draft, BASE_FOLDER, pace);
    const folders = environmentFolders(dataDir);
    const snapshots = new Map(folders.map((folder) => [folder, new EnvironmentSnapshot(join(dataDir, folder))]));
    let rows = 0;
    let cursor: StateCursor;
    try {
      cursor = await takeAll(snapshots);
      for (const [folder, snapshot] of snapshots) {
        const copied = await copyEnvironment(snapshot, join(draft, folder), pace.spend);
        rows += copied.rows;
        bytes += copied.bytes;
      }
    } finally {
      for (const snapshot of snapshots.values()) await snapshot.close();
    }
    // Copies the signed blocks after the log, so that they include every block of this node's witnesses in the copied
    // log.
    copySignedBlocks(dataDir, draft);
    await writeMarker(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
    return { head: cursor.number, headId: toHex(cursor.id), digest: toHex(cursor.digest), rows, bytes };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    lock?.close();
    draftLock.close();
  }
}

/**
 * Takes snapshots of all databases between two commits, when log and state are at the same entry. Tries again if a
 * snapshot falls between the commit of the log and the commit of the state.
 */
async function takeAll(snapshots: ReadonlyMap<string, EnvironmentSnapshot>): Promise<StateCursor> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (const snapshot of snapshots.values()) snapshot.take();
    const [state] = snapshots.get('state')?.rows('meta', 1) ?? [];
    const [newest] = present(snapshots.get('log'), 'a log is part of every backup').rows('entries', 1);
    const cursor = state && decodeStateCursor(Buffer.from(state.value));
    if (state !== undefined && cursor === undefined)
      throw new DamageError("the cursor of the state is corrupt; run 'tronicle replay', then the backup again");
    if (cursor !== undefined && newest !== undefined && cursor.seq === seqOf(newest.key)) return cursor;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new TronError(
    'BACKUP',
    'the state is older than the log; start the node once to update the state, then run the backup again',
  );
}

/** Copies the files of a folder, without subfolders and without incomplete files. @returns number of bytes copied */
function copyFiles(dataDir: string, draft: string, folder: string, pace: CheckPace): number {
  if (!existsSync(join(dataDir, folder))) return 0;
  mkdirSync(join(draft, folder), { recursive: true });
  let bytes = 0;
  for (const file of readdirSync(join(dataDir, folder), { withFileTypes: true })) {
    if (!file.isFile() || isDraft(file.name)) continue;
    const from = join(dataDir, folder, file.name);
    const { size } = statSync(from);
    checkFreeSpace(draft, size);
    copyFileSync(from, join(draft, folder, file.name));
    pace.spend(size);
    bytes += size;
  }
  return bytes;
}

/** Writes the marker file with the sequence number and hash of the newest log entry. */
async function writeMarker(draft: string): Promise<void> {
  const blocks = new BlockLog({ dataDir: draft, readOnly: true });
  const marker = new LogMarker(draft);
  marker.write({ seq: blocks.committedSeq, hash: blocks.newestHash });
  marker.close();
  await blocks.close();
}
