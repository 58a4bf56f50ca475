import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Block } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { openChain } from './genesis.js';

const child = fileURLToPath(new URL('./forwarding-child.ts', import.meta.url));

interface ForwardingOptions {
  readonly dataDir: string;
  /** Sinks in the form of elements of `tronicle.sinks`. */
  readonly sinks: readonly object[];
  /** Height at which the process ends, when everything is forwarded. */
  readonly height: number;
  readonly seed: number;
  /** True for blocks at the rate of a network. At a higher rate, sinks pause as during a sync, and write rarely. */
  readonly isPaced?: boolean;
}

/** A process that appends blocks and forwards them. */
interface Forwarding {
  readonly process: ChildProcess;
  readonly exit: Promise<number | null>;
  /** Resolves at the next block that becomes solidified after the sinks were opened, or when the process has ended. */
  readonly hasSolidified: Promise<void>;
  /** Returns true if a sink has not yet forwarded the newest solidified block. */
  isUnderWay(): boolean;
}

/** Pause between some blocks in ms, with which a chain grows more slowly than in a sync. */
const PACE_MS = 150;

/** A line of the process: the status of a sink, or a new solidified height. */
type Line =
  | { readonly solidified: number }
  | { readonly name: string; readonly state: string; readonly number: number };

/** Starts a process that appends blocks to a chain and forwards them, see `forwarding-child.ts`. */
export function startForwarding({ dataDir, sinks, height, seed, isPaced = true }: ForwardingOptions): Forwarding {
  const pace = isPaced ? PACE_MS : 0;
  const args = [child, dataDir, JSON.stringify(sinks), String(height), String(seed), String(pace)];
  const running = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise<number | null>((resolve) => running.once('close', resolve));
  const forwarded = new Map<string, number>();
  let newest = -1;
  const hasSolidified = new Promise<void>((resolve) => {
    createInterface({ input: running.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if ('name' in line) {
        if (line.state === 'forwarding') forwarded.set(line.name, line.number);
        return;
      }
      newest = line.solidified;
      if (forwarded.size === sinks.length) resolve();
    });
    exit.then(() => resolve(), resolve);
  });
  return {
    process: running,
    exit,
    hasSolidified,
    isUnderWay: () => [...forwarded.values()].some((number) => number < newest),
  };
}

/** Returns the names of what is killed, each as often as given, in random order. */
export function shuffledKills<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  random: (below: number) => number,
): Name[] {
  const names = Object.keys(counts) as Name[]; // Cast: the names are the keys of the object.
  return names
    .flatMap((name) => Array.from({ length: counts[name] }, () => ({ name, order: random(1e6) })))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** Ids (hex) of canonical blocks and of their transactions, in order. */
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
