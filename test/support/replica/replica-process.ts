import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../../src/projections/ledger/ledger.js';
import { openLedger } from '../../../src/projections/ledger/open-ledger.js';
import { freePorts } from '../free-port.js';
import { silent } from '../projections/chain.js';
import { golden, type Outcome, startTronicle } from '../tronicle.js';
import { untilServed } from '../until.js';

export interface Ports {
  readonly http: number;
  readonly grpc: number;
  readonly own: number;
}

/** Returns three ports without a listener. */
export async function servicePorts(): Promise<Ports> {
  const http = await freePorts(3);
  return { http, grpc: http + 1, own: http + 2 };
}

/**
 * Writes the configuration of a node for a recording. With `ports`, the node serves HTTP, gRPC and its status page;
 * without, it has none of these servers.
 * @returns the path of the file
 */
export function writeConfig(folder: string, name: string, ports: Ports | undefined, more = ''): string {
  const isOn = ports !== undefined;
  const file = join(folder, 'node.conf');
  const text = `${readFileSync(join(golden, name, 'config.conf'), 'utf8')}
node.http { fullNodeEnable = ${isOn}, fullNodePort = ${ports?.http ?? 1}, solidityEnable = false, PBFTEnable = false }
node.rpc { enable = ${isOn}, port = ${ports?.grpc ?? 1}, solidityEnable = false, PBFTEnable = false, minEffectiveConnection = 0 }
node.jsonrpc { httpFullNodeEnable = false, httpSolidityEnable = false, httpPBFTEnable = false }
node.metrics.prometheus.enable = false
tronicle { history.retention = all, http { enable = ${isOn}, port = ${ports?.own ?? 1} } }
${more}
`;
  writeFileSync(file, text);
  return file;
}

export interface RunningNode {
  readonly child: ChildProcess;
  /** Resolves to the exit code or the signal that ended the process, and to the standard error output. */
  readonly ended: Promise<Pick<Outcome, 'code' | 'signal' | 'stderr'>>;
}

export function run(args: readonly string[]): RunningNode {
  const child = startTronicle(['run', ...args]);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout?.resume();
  const ended = new Promise<Pick<Outcome, 'code' | 'signal' | 'stderr'>>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, ended };
}

/**
 * Returns the position of a data folder, even if another process uses the folder; undefined if the position cannot be
 * read.
 */
export async function positionOf(dataDir: string): Promise<Position | undefined> {
  return readPosition(dataDir).catch(() => undefined);
}

/**
 * Polls the data folder of a running node until its position satisfies a condition.
 * @throws {Error} the node has ended, and the message contains its output
 * @throws {Error} the time is over, with the last read error as cause
 */
export async function untilPosition(
  node: RunningNode,
  { what, dataDir, satisfies }: { what: string; dataDir: string; satisfies: (position: Position) => boolean },
): Promise<void> {
  let outcome: Awaited<RunningNode['ended']> | undefined;
  void node.ended.then((ended) => {
    outcome = ended;
  });
  await untilServed(what, async () => outcome !== undefined || satisfies(await readPosition(dataDir)));
  if (outcome !== undefined)
    throw new Error(`the node ended with ${outcome.code ?? outcome.signal} before ${what}: ${outcome.stderr}`);
}

async function readPosition(dataDir: string): Promise<Position> {
  const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log: silent, readOnly: true });
  try {
    return ledger.position;
  } finally {
    await ledger.close();
  }
}
