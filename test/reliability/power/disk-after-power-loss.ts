import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemAt } from '../../../src/primitives/assert.js';
import type { EntryChange, FileOperation, FileWrite, NewEntry } from './file-operations.js';

/** Units in which disks and file systems write, in bytes. A write of several units can end with some of them. */
const UNITS = [512, 4096] as const;

type FileChange = FileWrite | Extract<FileOperation, { kind: 'truncate' }>;

/** Changes of one file or folder. `isDurable` is true if the change is certainly on disk. */
interface Changes<Change> {
  /** Changes with their index among all operations, in order. */
  readonly all: { readonly index: number; readonly change: Change; isDurable: boolean }[];
}

/**
 * The folder as it is on disk after a power failure. Flushed changes are on disk. Each unflushed change of a file is
 * completely, partly or not on disk. A file system writes the entries of one folder in order, so a first part of the
 * unflushed changes of a folder is on disk. The entry of a file is certainly on disk only after a flush of its
 * folder.
 */
export class DiskAfterPowerLoss {
  private readonly random: () => number;
  private readonly files = new Map<number, Changes<FileChange>>();
  private readonly folders = new Map<number, Changes<EntryChange>>();
  /** Probability that an unflushed change of a file is completely on disk. A random value for each instance. */
  private readonly keptShare: number;
  /** Number of changes that are not or not completely on disk. */
  lost = 0;

  /** @param operations the operations before the power failure; the last one has not returned */
  constructor(operations: readonly FileOperation[], random: () => number, keptShare = random()) {
    this.random = random;
    this.keptShare = keptShare;
    for (const [index, operation] of operations.entries()) this.add(operation, index, index < operations.length - 1);
  }

  /** Writes the files and folders to an existing empty folder. */
  writeTo(path: string, folder = 0): void {
    for (const [name, { file, isFolder }] of this.entriesOf(folder)) {
      const target = join(path, name);
      if (!isFolder) writeFileSync(target, this.contentOf(file));
      else {
        mkdirSync(target);
        this.writeTo(target, file);
      }
    }
  }

  private add(operation: FileOperation, index: number, hasReturned: boolean): void {
    if (operation.kind === 'acknowledge') return;
    if (operation.kind === 'flush') {
      if (!hasReturned) return;
      for (const { all } of [changesOf(this.files, operation.file), changesOf(this.folders, operation.file)])
        for (const entry of all) if (entry.index < operation.before) entry.isDurable = true;
    } else if (operation.kind === 'write' || operation.kind === 'truncate') {
      const isDurable = operation.kind === 'write' && operation.isFlushed && hasReturned;
      changesOf(this.files, operation.file).all.push({ index, change: operation, isDurable });
    } else changesOf(this.folders, operation.folder).all.push({ index, change: operation, isDurable: false });
  }

  private entriesOf(folder: number): Map<string, NewEntry> {
    const { all } = changesOf(this.folders, folder);
    const durable = all.findLastIndex(({ isDurable }) => isDurable) + 1;
    const kept = durable + Math.floor(this.random() * (all.length - durable + 1));
    this.lost += all.length - kept;
    const entries = new Map<string, NewEntry>();
    for (const { change } of all.slice(0, kept)) {
      if (change.kind === 'create') entries.set(change.name, change.entry);
      else if (change.kind === 'remove') entries.delete(change.name);
      else {
        const moved = entries.get(change.from);
        entries.delete(change.from);
        if (moved !== undefined) entries.set(change.to, moved);
      }
    }
    return entries;
  }

  private contentOf(file: number): Buffer {
    let content: Buffer = Buffer.alloc(0);
    for (const { change, isDurable } of changesOf(this.files, file).all) {
      const isKept = isDurable || this.random() < this.keptShare;
      if (!isKept) this.lost++;
      if (change.kind === 'truncate') {
        if (isKept) content = resized(content, change.size);
      } else if (isKept) content = written(content, change.offset, change.bytes);
      else if (this.random() < 0.5) content = this.tornWrite(content, change);
    }
    return content;
  }

  /** Applies a random part of the units of a write. */
  private tornWrite(content: Buffer, { offset, bytes }: FileWrite): Buffer {
    const unit = itemAt(UNITS, Math.floor(this.random() * UNITS.length));
    let torn = content;
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + unit - ((offset + at) % unit));
      if (this.random() < 0.5) torn = written(torn, offset + at, bytes.subarray(at, end));
      at = end;
    }
    return torn;
  }
}

function changesOf<Change>(map: Map<number, Changes<Change>>, file: number): Changes<Change> {
  const known = map.get(file) ?? { all: [] };
  map.set(file, known);
  return known;
}

/** Returns the content after a write. Bytes between the end of the file and the write are zeros. */
function written(content: Buffer, offset: number, bytes: Uint8Array): Buffer {
  const grown = content.length < offset + bytes.length ? resized(content, offset + bytes.length) : content;
  grown.set(bytes, offset);
  return grown;
}

function resized(content: Buffer, size: number): Buffer {
  const sized = Buffer.alloc(size);
  content.copy(sized, 0, 0, Math.min(size, content.length));
  return sized;
}
