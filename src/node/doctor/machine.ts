import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { itemAt } from '../../primitives/assert.js';
import { type Finding, finding, levelOf, worse } from './finding.js';
import type { MachineNeeds } from './machine-needs.js';

const GIB = 2 ** 30;
/**
 * Bounds of the free space in GiB, equal for all networks. `MachineNeeds.space` has additional bounds for a network. On
 * a full disk, block production and sync stop.
 */
const FREE_GIB = { warn: 5, bad: 1 };
/** Size in bytes of the unit in which `stat` counts `blocks`. */
const DISK_BLOCK_BYTES = 512;
/**
 * Bounds of the duration of a durable write, in ms. A block needs up to three such writes. At 500 ms each, they take
 * half of its 3 s slot.
 */
const SYNC_MS = { warn: 25, bad: 500 };
/**
 * Bounds of the limit of open files. Each peer, client and database needs an open file. 1024 is the usual default of a
 * shell.
 */
const OPEN_FILES = { warn: 4095, bad: 512 };
/**
 * Oldest maintained major release of Node.js, and the oldest release that Tronicle supports (`engines` of
 * package.json).
 */
const NODE_MAJOR = { maintained: 22, supported: 20 };
/** Recommended major release of Node.js. */
const NODE_ADVISED = 24;

export function checkNode(version = process.versions.node): Finding {
  const level = levelOf(Number.parseInt(version, 10), {
    warn: NODE_MAJOR.maintained - 1,
    bad: NODE_MAJOR.supported - 1,
  });
  const state = level === 'bad' ? 'is not supported' : 'gets no more security fixes';
  return finding('node', level, `Node.js ${version}`, `install Node.js ${NODE_ADVISED}: this release ${state}`);
}

/** Checks the memory of the machine, or the memory limit of the container. @param bytes memory in bytes */
export function checkMemory(
  { network, memory }: MachineNeeds,
  bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): Finding {
  const gib = bytes / GIB;
  return finding(
    'memory',
    levelOf(gib, memory),
    `${gib.toFixed(1)} GiB`,
    `use a machine or container with more than ${memory.warn} GiB for this network (${network})`,
  );
}

/** Checks the limit of open files. Node.js raises the soft limit to the hard limit by itself. */
export function checkOpenFiles(limits = readLimits()): Finding {
  const soft = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
  if (soft === undefined)
    return finding(
      'open files',
      'unknown',
      'the limit cannot be read on this system',
      'check the limit with ulimit -Hn',
    );
  const level = levelOf(soft === 'unlimited' ? Infinity : Number(soft), OPEN_FILES);
  return finding(
    'open files',
    level,
    soft,
    'set LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 in the shell',
  );
}

function readLimits(): string {
  return existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
}

/**
 * Checks the free space at the data folder, or at its nearest existing parent. Also checks that the folder can grow to
 * the size that the network needs.
 * @param usedBytes present size of the data folder
 */
export async function checkSpace(
  { network, space }: MachineNeeds,
  dataDir: string,
  usedBytes = folderBytes(dataDir),
): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir));
  const free = (bavail * bsize) / GIB;
  const available = free + usedBytes / GIB;
  const now = levelOf(free, FREE_GIB);
  const level = worse(now, levelOf(available, space));
  const remedy =
    now === level
      ? 'free disk space, move the data folder (-d), or delete old blocks: tronicle prune, then tronicle compact'
      : `this network (${network}) needs more than ${space.bad} GiB, and ${space.warn} GiB for all blocks; see docs/main-net.md`;
  return finding('disk space', level, `${free.toFixed(1)} GiB free`, remedy);
}

/** Returns the disk space that a data folder uses, in bytes. */
function folderBytes(dataDir: string): number {
  if (!existsSync(dataDir)) return 0;
  let blocks = 0;
  // A running node may delete a file during this loop.
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    blocks += statSync(join(dataDir, name), { throwIfNoEntry: false })?.blocks ?? 0;
  return blocks * DISK_BLOCK_BYTES;
}

/**
 * Measures the median time of a durable write of 4 KiB at the data folder. Makes at most 50 writes, for at most about 2
 * s.
 */
export function checkDiskSpeed(dataDir: string): Finding {
  const remedy = 'put the data folder on a local SSD; network disks and hard disks delay every block';
  let folder: string;
  try {
    folder = mkdtempSync(join(existing(dataDir), '.tronicle-doctor-'));
  } catch (error) {
    return finding(
      'disk speed',
      'bad',
      (error as Error).message,
      'allow the user of the node to write to the data folder',
    );
  }
  try {
    const ms = medianSync(join(folder, 'probe'));
    return finding('disk speed', levelOf(ms, SYNC_MS), `${ms.toFixed(1)} ms per durable write`, remedy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function medianSync(path: string): number {
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const took: number[] = [];
  try {
    for (const end = performance.now() + 2000; took.length < 50 && performance.now() < end; ) {
      const startMs = performance.now();
      writeSync(file, page);
      fsyncSync(file);
      took.push(performance.now() - startMs);
    }
  } finally {
    closeSync(file);
  }
  return itemAt(
    took.sort((a, b) => a - b),
    took.length >> 1,
  );
}

export function checkSignatures({ library, reason } = secp256k1): Finding {
  const found = library === 'native' ? 'native' : `${library}: ${reason}`;
  const remedy =
    'run `npm rebuild secp256k1` (needs a C compiler if no binary fits); the native library is about 50 times faster';
  return finding('signatures', library === 'native' ? 'ok' : 'warn', found, remedy);
}

/** Returns the path itself or its nearest existing parent. */
function existing(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? whole : existing(dirname(whole));
}
