import { type ChildProcess, spawn } from 'node:child_process';
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
}

interface Forwarding {
  readonly process: ChildProcess;
  /** Resolves when the process has passed on its first block, or has ended. */
  readonly hasForwarded: Promise<void>;
  readonly exit: Promise<number | null>;
}

/** Starts a process that appends blocks to a chain and forwards them, see `forwarding-child.ts`. */
export function startForwarding({ dataDir, sinks, height, seed }: ForwardingOptions): Forwarding {
  const args = [child, dataDir, JSON.stringify(sinks), String(height), String(seed)];
  const running = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise<number | null>((resolve) => running.once('close', resolve));
  const hasForwarded = new Promise<void>((resolve) => {
    running.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('"forwarding"')) resolve();
    });
    exit.then(() => resolve(), resolve);
  });
  return { process: running, hasForwarded, exit };
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
