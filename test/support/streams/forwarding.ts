import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Block } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { openChain } from './genesis.js';

const child = fileURLToPath(new URL('./forwarding-child.ts', import.meta.url));

interface ForwardingOptions {
  readonly dataDir: string;
  /** Sinks, in the format of `tronicle.sinks`. */
  readonly sinks: readonly object[];
  /** Height of the last block. The process ends when all blocks are forwarded. */
  readonly height: number;
  readonly seed: number;
  /**
   * True to append blocks at the rate of a network. At a higher rate, sinks behave as during a sync: they write
   * rarely.
   */
  readonly isPaced?: boolean;
  /** Time in ms that sinks needed to forward a new solidified block in an earlier run. If undefined, it is measured. */
  readonly writeMs?: number | undefined;
}

/** A process that appends blocks and forwards them. */
interface Forwarding {
  readonly process: ChildProcess;
  readonly exit: Promise<number | null>;
  /**
   * Resolves when a new block is solidified, or when the process has ended. The value is the time in ms that all
   * sinks needed to forward an earlier solidified block. A kill within this time interrupts the forwarding of the new
   * block.
   */
  readonly hasSolidified: Promise<number>;
  /** Returns true if a sink has not forwarded the newest solidified block yet. */
  isUnderWay(): boolean;
}

/** Pause in ms after at most five blocks. If 20 blocks arrived within 3 s, the sinks would pause as during a sync. */
const PACE_MS = 800;

/** A line that the process prints: the status of a sink, or a new solidified height. */
type Line =
  | { readonly solidified: number }
  | { readonly name: string; readonly state: string; readonly number: number };

/** Starts a process that appends blocks to a chain and forwards them, see `forwarding-child.ts`. */
export function startForwarding(options: ForwardingOptions): Forwarding {
  const { dataDir, sinks, height, seed, isPaced = true } = options;
  const pace = isPaced ? PACE_MS : 0;
  const args = [child, dataDir, JSON.stringify(sinks), String(height), String(seed), String(pace)];
  const running = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise<number | null>((resolve) => running.once('close', resolve));
  const forwarded = new Map<string, number>();
  let newest = -1;
  const hasSolidified = new Promise<number>((resolve) => {
    let followed: { readonly number: number; readonly sinceMs: number } | undefined;
    let { writeMs } = options;
    createInterface({ input: running.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if ('name' in line) {
        if (line.state === 'forwarding') forwarded.set(line.name, line.number);
        const least = Math.min(...forwarded.values());
        if (followed !== undefined && least >= followed.number) writeMs ??= performance.now() - followed.sinceMs;
        return;
      }
      newest = line.solidified;
      if (forwarded.size < sinks.length) return;
      if (writeMs !== undefined) resolve(writeMs);
      followed ??= { number: newest, sinceMs: performance.now() };
    });
    void exit.finally(() => resolve(writeMs ?? 0));
  });
  return {
    process: running,
    exit,
    hasSolidified,
    isUnderWay: () => [...forwarded.values()].some((number) => number < newest),
  };
}

/**
 * Maximum delay of a kill, as a share of the measured write time. The share is below 1, because most writes take less
 * time than the measured one.
 */
const KILL_SHARE = 0.7;

/**
 * Returns a random time in ms after a new solidified block. A kill after this time interrupts the write of the block.
 */
export function killDelay(writeMs: number, random: (below: number) => number): number {
  return random(Math.ceil(KILL_SHARE * writeMs));
}

/** Returns the names in random order. Each name occurs as often as `counts` says. */
export function shuffledKills<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  random: (below: number) => number,
): Name[] {
  const names = Object.keys(counts) as Name[]; // Cast: the keys of the object are the names.
  return names
    .flatMap((name) => Array.from({ length: counts[name] }, () => ({ name, order: random(1e6) })))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** Ids (hex) of the canonical blocks, and of all their transactions in chain order. */
interface ChainIds {
  readonly blocks: string[];
  readonly transactions: string[];
}

/** Returns the ids of a data folder from genesis up to the solidified block, or up to the head. */
export async function chainIds(dataDir: string, end: 'solidified' | 'head' = 'solidified'): Promise<ChainIds> {
  const ledger = await openChain(dataDir);
  const ids: ChainIds = { blocks: [], transactions: [] };
  const { solidifiedNumber, headNumber } = ledger.position;
  for (let number = 0; number <= (end === 'head' ? headNumber : solidifiedNumber); number++) {
    const entry = ledger.block(number)!;
    ids.blocks.push(toHex(entry.id));
    ids.transactions.push(...entry.transactionIds.map(toHex));
    if (Block.decode(entry.block).transactions.length !== entry.transactionIds.length) throw new Error('not a block');
  }
  await ledger.close();
  return ids;
}
