import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadResult } from '../load-client.js';

/** An HTTP request. It is a GET request if it has no body. */
export interface HttpRequest {
  readonly path: string;
  readonly body?: string;
}

export interface WrkJob {
  readonly port: number;
  /** Requests that each connection sends in order, repeatedly. */
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly ms: number;
}

const script = fileURLToPath(new URL('./wrk-script.lua', import.meta.url));

/** Runs `wrk` (Debian's package `wrk`) against a port of this machine. @throws {Error} `wrk` is not installed */
export async function wrk({ port, requests, connections, ms }: WrkJob): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-wrk-'));
  const file = join(folder, 'requests');
  writeFileSync(file, requests.map(({ path, body }) => `${path}\t${body ?? ''}\n`).join(''));
  const flags = ['-t1', `-c${connections}`, `-d${Math.ceil(ms / 1000)}s`, '--timeout', '30s', '-s', script];
  try {
    const child = spawn('wrk', [...flags, `http://127.0.0.1:${port}`, '--', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise<void>((resolve, reject) => {
      child.on('error', (cause) => reject(new Error('wrk cannot be started (Debian: apt install wrk)', { cause })));
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`wrk ended with ${code}: ${text}`))));
    });
    const line = text.split('\n').find((each) => each.startsWith('{'));
    if (line === undefined) throw new Error(`wrk printed no result: ${text}`);
    return JSON.parse(line) as LoadResult;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
