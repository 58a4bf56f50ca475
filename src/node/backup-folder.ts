import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FolderLock, lockFolder } from '../files/folder-lock.js';
import { checkFreeSpace } from '../files/free-space.js';
import { BlockLog } from '../log/block-log.js';
import { copyEnvironment, EnvironmentSnapshot } from '../log/lmdb/copy-environment.js';
import { LogMarker } from '../log/log-marker.js';
import { present } from '../primitives/assert.js';
import { toHex } from '../primitives/bytes.js';
import { DamageError, TronError, UsageError } from '../primitives/errors.js';
import { BASE_FOLDER, refuseUnfinished } from '../projections/state/base-rows.js';
import { decodeStateCursor, type StateCursor } from '../projections/state/state-cursor.js';
import { CheckPace } from '../projections/verify/check-pace.js';
import { verifyInChild } from '../projections/verify/verify-in-child.js';
import { environmentFolders } from './data-folder.js';

interface BackupOptions {
  readonly dataDir: string;
  /** A folder that does not exist yet, or is empty. */
  readonly target: string;
  /** `undefined`: as fast as it goes. */
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

/** Seqs are eight bytes at the begin of a key, or of a cursor. */
const seqOf = (bytes: Uint8Array): number => Number(Buffer.from(bytes).readBigUInt64BE(0));
/** How often, and how long in between, a moment is looked for in which state and log stand at the same entry. */
const ATTEMPTS = 20;
const WAIT_MS = 25;

/**
 * Copies a data folder as it is at one moment, whether its node runs or not. The copy grows beside the target and
 * becomes it in one step. @throws {TronError} STORAGE_FULL, STORAGE_FAILED, and BACKUP where no such moment was found;
 * nothing is left then
 */
export async function backupFolder({ dataDir, target, bytesPerSecond, report }: BackupOptions): Promise<BackupResult> {
  refuseUnfinished(dataDir);
  // The folder of a running node was checked at its start; LMDB must not open one that nobody has checked.
  const lock = await lockIfFree(dataDir);
  const draft = join(dirname(target), `.${basename(target)}.part`);
  const pace = new CheckPace(bytesPerSecond, report);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    if (lock !== undefined) await verifyInChild(dataDir);
    // Places of sinks and rows of the base first: neither is ahead of the log that is read after them.
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
    await writeMarker(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
    return { head: cursor.number, headId: toHex(cursor.id), digest: toHex(cursor.digest), rows, bytes };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    lock?.close();
  }
}

/** `undefined` while a node has the folder open. */
function lockIfFree(dataDir: string): Promise<FolderLock | undefined> {
  return lockFolder(dataDir).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined;
    throw error;
  });
}

/**
 * The log is committed before the state: a moment between two commits is wanted, in which both stand at the same entry.
 */
async function takeAll(snapshots: ReadonlyMap<string, EnvironmentSnapshot>): Promise<StateCursor> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (const snapshot of snapshots.values()) snapshot.take();
    const [state] = snapshots.get('state')?.rows('meta', 1) ?? [];
    const [newest] = present(snapshots.get('log'), 'a log is part of every backup').rows('entries', 1);
    const cursor = state && decodeStateCursor(Buffer.from(state.value));
    if (state !== undefined && cursor === undefined)
      throw new DamageError('the cursor of the state is not what was written');
    if (cursor !== undefined && newest !== undefined && cursor.seq === seqOf(newest.key)) return cursor;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new TronError('BACKUP', 'the state is behind the log: start the node once, so that it follows, and try again');
}

/** Files of a folder, not those below it. @returns their bytes */
function copyFiles(dataDir: string, draft: string, folder: string, pace: CheckPace): number {
  if (!existsSync(join(dataDir, folder))) return 0;
  mkdirSync(join(draft, folder), { recursive: true });
  let bytes = 0;
  for (const file of readdirSync(join(dataDir, folder), { withFileTypes: true })) {
    if (!file.isFile()) continue;
    const from = join(dataDir, folder, file.name);
    const { size } = statSync(from);
    checkFreeSpace(draft, size);
    copyFileSync(from, join(draft, folder, file.name));
    pace.spend(size);
    bytes += size;
  }
  return bytes;
}

/** The side file that says how far the log reaches. */
async function writeMarker(draft: string): Promise<void> {
  const blocks = new BlockLog({ dataDir: draft, readOnly: true });
  const marker = new LogMarker(draft);
  marker.write({ seq: blocks.committedSeq, hash: blocks.newestHash });
  marker.close();
  await blocks.close();
}
