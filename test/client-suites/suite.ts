import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { TestResult } from './reports.js';
import type { PublicSource } from './suite-source.js';
import type { Likeness } from './test-net-likeness.js';

/** Environment of a suite. */
export interface SuiteRun {
  /** Its sources, which may be written to. */
  readonly folder: string;
  /** Gets all that its programs print. */
  readonly logFile: string;
  /** Port of the helper in front of the node's HTTP. */
  readonly gatewayPort: number;
  /** URL of the node's JSON-RPC. */
  readonly rpcUrl: string;
  /** Port of the node's gRPC. */
  readonly grpcPort: number;
  /** Data of the public network that suites expect. */
  readonly likeness: Likeness;
}

/** An external test suite, unmodified. */
export interface Suite {
  readonly name: string;
  readonly version: string;
  readonly source: PublicSource;
  /** Installs what the suite needs and runs it. @throws {Error} it gave no report */
  run(run: SuiteRun): Promise<TestResult[]>;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program; its output is added to the log. @returns its exit code and standard output */
export async function runLogged(
  logFile: string,
  { command, args, cwd, env }: Program,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  log.end();
  await finished(log);
  return { code, stdout: Buffer.concat(chunks).toString() };
}

/** The same for what must work. @throws {Error} it ended with another code than 0 */
export async function runOrFail(logFile: string, program: Program): Promise<void> {
  const { code } = await runLogged(logFile, program);
  if (code !== 0) throw new Error(`${program.command} ${program.args[0]} ended with ${code}: see ${logFile}`);
}
