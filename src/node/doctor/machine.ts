import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { roundsOnce } from '../../crypto/wasm/rounds-once.js';
import { itemAt } from '../../primitives/assert.js';
import { type Finding, finding, levelOf } from './finding.js';

const GIB = 2 ** 30;
/**
 * GiB. Below one, the threads' heaps alone do not fit; `npm start` is at ease with four, the main net's need was not
 * measured.
 */
const MEMORY_GIB = { warn: 4, bad: 1 };
/** GiB left. A full disk stops the node; twenty are some days of a busy chain. */
const SPACE_GIB = { warn: 20, bad: 1 };
/** ms of one durable write. A block costs up to three: at half a second each they fill half of its slot of 3 s. */
const SYNC_MS = { warn: 25, bad: 500 };
/** A socket or a file each: peers, clients, databases. 1024 is the limit of a shell that nobody raised. */
const OPEN_FILES = { warn: 4095, bad: 512 };
/** The release that `engines` of package.json names. */
const NODE_MAJOR = 20;

export function checkNode(version = process.versions.node): Finding {
  const level = Number.parseInt(version, 10) >= NODE_MAJOR ? 'ok' : 'bad';
  return finding('node', level, `Node.js ${version}`, `install Node.js ${NODE_MAJOR} or later`);
}

/** Memory of the machine, or of the container where that has a bound. @param bytes */
export function checkMemory(bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)): Finding {
  const gib = bytes / GIB;
  return finding(
    'memory',
    levelOf(gib, MEMORY_GIB),
    `${gib.toFixed(1)} GiB`,
    'give the machine or the container 4 GiB or more',
  );
}

/** Files that this process may have open; Node.js raises the soft limit to the hard one by itself. */
export function checkOpenFiles(limits = readLimits()): Finding {
  const soft = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
  if (soft === undefined) return finding('open files', 'unknown', 'the limit cannot be read here', 'see ulimit -Hn');
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

/** Room at the data folder, or where it will be made. */
export async function checkSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir));
  const gib = (bavail * bsize) / GIB;
  const remedy = 'make room, move the data folder (-d), or let old blocks leave: tronicle prune, then tronicle compact';
  return finding('disk space', levelOf(gib, SPACE_GIB), `${gib.toFixed(1)} GiB free`, remedy);
}

/** Median time of a durable write of 4 KiB at the data folder. At most 50 writes, at most some 2 s. */
export function checkDiskSpeed(dataDir: string): Finding {
  const remedy = 'put the data folder on a local SSD; network and spinning disks hold up every block';
  let folder: string;
  try {
    folder = mkdtempSync(join(existing(dataDir), '.tronicle-doctor-'));
  } catch (error) {
    return finding('disk speed', 'bad', (error as Error).message, 'let the user of the node write to the data folder');
  }
  try {
    const ms = medianSync(join(folder, 'probe'));
    return finding('disk speed', levelOf(ms, SYNC_MS), `${ms.toFixed(1)} ms a durable write`, remedy);
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
      const begin = performance.now();
      writeSync(file, page);
      fsyncSync(file);
      took.push(performance.now() - begin);
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
    'install again with `npm rebuild secp256k1` (a C compiler is needed where no binary fits): some 50 times faster';
  return finding('signatures', library === 'native' ? 'ok' : 'warn', found, remedy);
}

export function checkProofs(isFast = roundsOnce()): Finding {
  const remedy = 'let the machine be one that multiplies and adds at once (FMA3 on x64): some 30 times faster';
  return finding('shielded proofs', isFast ? 'ok' : 'warn', isFast ? 'WebAssembly' : 'JavaScript', remedy);
}

/** The folder itself, or the nearest one above it. */
function existing(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? whole : existing(dirname(whole));
}
