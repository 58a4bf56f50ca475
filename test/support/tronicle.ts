import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const golden = join(root, 'test', 'golden');
/** Main module of the compiled product. */
export const mainFile = join(root, 'dist/node/main.js');

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A release of Node.js other than the one that runs the test. */
export interface NodeProgram {
  /** Path of the Node.js executable. */
  readonly path: string;
  /** Options before the main module. */
  readonly options: readonly string[];
}

interface StartOptions {
  /** Working directory of the process. Default: that of the test. */
  readonly cwd?: string | undefined;
  readonly program?: NodeProgram | undefined;
  /** Program to start. Default: the compiled command `tronicle`. */
  readonly file?: string | undefined;
}

/** Starts the compiled command `tronicle`. */
export function startTronicle(
  args: readonly string[],
  { cwd, program = { path: process.execPath, options: [] }, file = mainFile }: StartOptions = {},
): ChildProcess {
  return spawn(program.path, [...program.options, file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TRONICLE_LOG_LEVEL: 'error' },
    ...(cwd !== undefined && { cwd }),
  });
}

/** Runs the compiled command to its end. If `killAfterMs` is set, kills the command after this time (ms). */
export async function runTronicle(
  args: readonly string[],
  { killAfterMs, cwd }: { killAfterMs?: number; cwd?: string } = {},
): Promise<Outcome> {
  const child = startTronicle(args, { cwd });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return outcomeOf(child).finally(() => clearTimeout(timer));
}

/** Closes the standard input of a started command. Resolves to its output and exit code when the command has ended. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  child.stdin?.end();
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}

/**
 * Starts `tronicle drive`, the older name of `tronicle test-driver`. The command reads one line per request and writes
 * one line per answer.
 */
export async function startDrive(args: readonly string[]): Promise<{
  readonly first: Record<string, unknown>;
  request(request: object): Promise<Record<string, unknown>>;
  close(): Promise<number | null>;
}> {
  const child = startTronicle(['drive', ...args]);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('drive ended');
    return JSON.parse(value) as Record<string, unknown>;
  };
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    first: await next(),
    request: (request) => {
      child.stdin!.write(`${JSON.stringify(request)}\n`);
      return next();
    },
    close: () => {
      child.stdin!.end();
      return closed;
    },
  };
}
