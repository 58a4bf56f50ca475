import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { TestResult } from './reports.js';
import type { PublicSource } from './suite-source.js';
import type { Likeness } from './test-net-likeness.js';

/** Inputs of a run of a suite. */
export interface SuiteRun {
  /** Folder with the sources of the suite. The suite may write to it. */
  readonly folder: string;
  /** Path of the file that receives all output of the suite's programs. */
  readonly logFile: string;
  /** Port of the gateway for HTTP, see `gateway.ts`. */
  readonly gatewayPort: number;
  /** URL of the JSON-RPC interface of the node. */
  readonly rpcUrl: string;
  /** Port of the gRPC interface of the node. */
  readonly grpcPort: number;
  /** Data on the private network that replaces data of the public test network Nile. */
  readonly likeness: Likeness;
}

/** A test suite of another project, which runs unmodified. */
export interface Suite {
  readonly name: string;
  readonly version: string;
  readonly source: PublicSource;
  /** Installs the packages that the suite needs, and runs the suite. @throws {Error} the suite has written no report */
  run(run: SuiteRun): Promise<TestResult[]>;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and appends its output to the log. @returns its exit code and standard output */
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

/** Runs a program and appends its output to the log. @throws {Error} its exit code is not 0 */
export async function runOrFail(logFile: string, program: Program): Promise<void> {
  const { code } = await runLogged(logFile, program);
  if (code !== 0) throw new Error(`${program.command} ${program.args[0]} ended with ${code}: see ${logFile}`);
}
