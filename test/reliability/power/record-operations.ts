import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileOperation } from './file-operations.js';
import { descriptorOf, StraceLines, type SystemCall, textsOf } from './strace-line.js';

/** Calls that change data or that make data durable. */
const MODELLED = ['openat', 'pwrite64', 'write', 'writev', 'lseek', 'ftruncate', 'rename', 'unlink', 'mkdir', 'rmdir'];
const FLUSHES = ['fsync', 'fdatasync'];
/** Calls that change data in a way that {@link readOperations} does not model. It refuses such a recording. */
const REFUSED = (
  'open,creat,pwritev,pwritev2,truncate,fallocate,renameat,renameat2,unlinkat,mkdirat,msync,sync_file_range,' +
  'link,linkat,symlink,symlinkat,copy_file_range,sendfile,mmap'
).split(',');

/** System calls that `strace` must record. */
export const RECORDED_CALLS: readonly string[] = [...MODELLED, ...FLUSHES, ...REFUSED];

interface Recording {
  /** Output of `strace -f -y` with complete texts. */
  readonly trace: string;
  /** The folder to model. It exists and is empty when the recording starts. */
  readonly root: string;
  /** File outside of the folder. Each line is a height that was acknowledged. */
  readonly acknowledged: string;
}

/**
 * Reads the file operations below a folder from the output of `strace`.
 * @throws {Error} a call is not modelled, such as a write to a shared memory map
 */
export async function readOperations({ trace, root, acknowledged }: Recording): Promise<readonly FileOperation[]> {
  const lines = new StraceLines();
  const recorder = new Recorder(root, acknowledged);
  for await (const line of createInterface({ input: createReadStream(trace, 'latin1') })) {
    const call = lines.next(line, recorder.operations.length);
    if (call !== undefined && (call.args.includes(root) || call.args.includes(acknowledged))) recorder.add(call);
  }
  return recorder.operations;
}

class Recorder {
  readonly operations: FileOperation[] = [];
  private readonly acknowledged: string;
  private readonly files = new Map<string, number>();
  private readonly sizes = new Map<number, number>();
  /** Offset of the next write, by descriptor and path; `append` for a file that is only appended to. */
  private readonly offsets = new Map<string, number | 'append'>();
  private readonly flushedWriters = new Set<string>();

  constructor(root: string, acknowledged: string) {
    this.acknowledged = acknowledged;
    this.files.set(root, 0);
  }

  add(call: SystemCall): void {
    if (call.name === 'openat') this.open(call);
    else if (call.name === 'rename') this.rename(call);
    else if (call.name === 'mkdir') this.create(pathIn(call.args), true);
    else if (call.name === 'unlink' || call.name === 'rmdir') this.remove(pathIn(call.args));
    else this.addOfDescriptor(call);
  }

  /** Adds a call whose first argument is a descriptor. */
  private addOfDescriptor(call: SystemCall): void {
    const { key, path } = descriptorOf(call.args);
    if (path === this.acknowledged && call.name === 'write') this.acknowledge(call.args);
    const file = this.files.get(path);
    if (file === undefined) return;
    if (FLUSHES.includes(call.name)) this.operations.push({ kind: 'flush', file, before: call.began });
    else if (call.name === 'ftruncate') this.truncate(file, Number(call.args.split(', ')[1]));
    else if (call.name === 'lseek') this.offsets.set(key, call.result);
    else if (['pwrite64', 'write', 'writev'].includes(call.name)) this.write(call, key, file);
    else if (call.name !== 'mmap' || isWritableMap(call.args, path)) {
      throw new Error(`the recording contains ${call.name}(${call.args.slice(0, 200)}), which is not modelled`);
    }
  }

  private open({ args, result }: SystemCall): void {
    const path = pathIn(args);
    const key = `${result}<${path}>`;
    this.offsets.set(key, args.includes('O_APPEND') ? 'append' : 0);
    this.flushedWriters.delete(key);
    if (args.includes('O_DSYNC') || args.includes('O_SYNC')) this.flushedWriters.add(key);
    const file = this.files.get(path);
    if (file === undefined && args.includes('O_CREAT')) this.create(path, false);
    else if (file !== undefined && args.includes('O_TRUNC') && (this.sizes.get(file) ?? 0) > 0) this.truncate(file, 0);
  }

  private create(path: string, isFolder: boolean): void {
    const folder = this.files.get(dirname(path));
    if (folder === undefined || this.files.has(path)) return;
    const file = this.operations.length + 1;
    this.files.set(path, file);
    this.operations.push({ kind: 'create', folder, name: basename(path), entry: { file, isFolder } });
  }

  private rename({ args }: SystemCall): void {
    const [from = '', to = ''] = textsOf(args).texts.map(String);
    const folder = this.files.get(dirname(from));
    if (folder === undefined) return;
    if (dirname(from) !== dirname(to)) throw new Error(`a rename from ${from} to ${to} is not modelled`);
    for (const [path, file] of [...this.files]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.files.delete(path);
      this.files.set(to + path.slice(from.length), file);
    }
    this.operations.push({ kind: 'rename', folder, from: basename(from), to: basename(to) });
  }

  private remove(path: string): void {
    const folder = this.files.get(dirname(path));
    if (folder === undefined || !this.files.delete(path)) return;
    this.operations.push({ kind: 'remove', folder, name: basename(path) });
  }

  private truncate(file: number, size: number): void {
    this.sizes.set(file, size);
    this.operations.push({ kind: 'truncate', file, size });
  }

  private write({ name, args, result }: SystemCall, key: string, file: number): void {
    const { texts, rest } = textsOf(args);
    const bytes = Buffer.concat(texts).subarray(0, result);
    const next = this.offsets.get(key) ?? 0;
    const size = this.sizes.get(file) ?? 0;
    const offset = name === 'pwrite64' ? Number(rest.split(', ').at(-1)) : next === 'append' ? size : next;
    if (name !== 'pwrite64' && next !== 'append') this.offsets.set(key, offset + bytes.length);
    this.sizes.set(file, Math.max(size, offset + bytes.length));
    this.operations.push({ kind: 'write', file, offset, bytes, isFlushed: this.flushedWriters.has(key) });
  }

  private acknowledge(args: string): void {
    this.operations.push({ kind: 'acknowledge', head: Number(textsOf(args).texts.join('')) });
  }
}

/** Returns true for a map through which a process can write to a file. LMDB's lock file has no lasting content. */
function isWritableMap(args: string, path: string): boolean {
  return args.includes('PROT_WRITE') && args.includes('MAP_SHARED') && basename(path) !== 'lock.mdb';
}

function pathIn(args: string): string {
  return String(textsOf(args).texts[0] ?? '');
}
