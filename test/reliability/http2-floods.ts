import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './run.js';
import { anonymousBytes } from './support/anonymous-memory.js';
import type { Flooded, FloodKind } from './support/http2-flood-child.js';
import { NO_RATE_LIMITS, RunningNode } from './support/running-node.js';

const child = fileURLToPath(new URL('./support/http2-flood-child.ts', import.meta.url));
const LOWEST_PRIORITY = 19;
/**
 * Duration in seconds of the valid client's calls before each flood. The response times of these calls are the
 * baseline.
 */
const QUIET_S = 1;
const CALL_EACH_MS = 20;
/** Response time in ms up to which the 99th percentile of the valid client's calls is always accepted. */
const GOOD_MS = 1000;
/** Maximum response time of the valid client's slowest call, in ms. */
const SLOWEST_MS = 2000;
/** Maximum growth of the server's memory, in MiB. It includes the garbage of closed connections. */
const GROWTH_MIB_MAX = 256;
const POLL_MS = 100;
const MIB = 1024 * 1024;
/** Maximum time in ms until the server closes a connection that sends a flood. */
const CLOSED_MS = 5000;

/** Floods the gRPC port with frames and measures the calls of a valid client at the same time. */
export const http2Floods: Measurement = {
  title: 'survives floods of HTTP/2 frames on the gRPC port',
  gate: 10,
  night: 600,
  async run({ count: seconds, folder, random }) {
    const kinds = JSON.parse(await flood([])) as FloodKind[]; // Cast: the child prints this type.
    const node = await RunningNode.start(join(folder, 'node'), NO_RATE_LIMITS);
    const client = new Client(node.ports.grpc);
    const lines: string[] = [];
    const missed: string[] = [];
    try {
      await client.call(QUIET_S);
      const bytes = (): number => anonymousBytes(node.process.pid);
      const first = bytes();
      for (const { name, closes } of kinds) {
        const before = await client.call(QUIET_S);
        let most = 0;
        const timer = setInterval(() => {
          most = Math.max(most, bytes());
        }, POLL_MS);
        const args = [String(node.ports.grpc), name, String(seconds), String(Math.floor(random() * MIB))];
        const [output, during] = await Promise.all([flood(args), client.call(seconds)]).finally(() =>
          clearInterval(timer),
        );
        const { connections, frames, closed, longestMs, codes } = JSON.parse(output) as Flooded; // Cast: the child prints this type.
        const growth = (most - first) / MIB;
        const line =
          `${name}: ${frames} frames on ${connections} connections, ${closed} closed (codes ${codes.join(', ')}), ` +
          `open for at most ${(longestMs / 1000).toFixed(1)} s; ${during.answers} calls: p99 ${during.p99.toFixed(0)} ms, ` +
          `at most ${during.most.toFixed(0)} (p99 ${before.p99.toFixed(0)} before); memory ${growth.toFixed(0)} MiB more, ${node.memoryPeak()}`;
        lines.push(`  ${line}`);
        const isOpen = closes && (closed === 0 || longestMs > CLOSED_MS);
        if (
          isOpen ||
          during.p99 > Math.max(2 * before.p99, GOOD_MS) ||
          during.most > SLOWEST_MS ||
          growth > GROWTH_MIB_MAX
        )
          missed.push(line);
      }
    } finally {
      client.close();
      await node.stop();
    }
    assert.deepEqual(missed, [], `${missed.join('; ')}\n${lines.join('\n')}\n`);
    return `\n${lines.join('\n')}\n `;
  },
};

/** Runs the child process that sends frames. Returns its standard output. */
async function flood(args: readonly string[]): Promise<string> {
  const running = spawn(process.execPath, [...process.execArgv, child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  setPriority(running.pid!, LOWEST_PRIORITY);
  let output = '';
  for await (const chunk of running.stdout) output += chunk;
  return output;
}

/** A valid client with one connection. */
class Client {
  private readonly session: ClientHttp2Session;

  constructor(port: number) {
    this.session = connect(`http://127.0.0.1:${port}`);
  }

  /** Sends calls one after the other, for a number of seconds. @throws {Error} the status of a call is not OK */
  async call(seconds: number): Promise<{ answers: number; p99: number; most: number }> {
    const times: number[] = [];
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(CALL_EACH_MS)) {
      const started = performance.now();
      await this.nowBlock();
      times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    return { answers: times.length, p99: times[Math.floor(times.length * 0.99)] ?? 0, most: times.at(-1) ?? 0 };
  }

  close(): void {
    this.session.destroy();
  }

  private nowBlock(): Promise<void> {
    const stream = this.session.request({
      ':method': 'POST',
      ':path': '/protocol.Wallet/GetNowBlock',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    return new Promise((resolve, reject) => {
      let status: unknown = 'none';
      // If a call is rejected, its headers contain the status and there are no trailers.
      const read = (headers: IncomingHttpHeaders): void => {
        status = headers['grpc-status'] ?? status;
      };
      stream.on('response', read);
      stream.on('trailers', read);
      stream.on('error', reject);
      stream.on('close', () => (status === '0' ? resolve() : reject(new Error(`GetNowBlock has status ${status}`))));
      stream.resume();
      stream.end(NO_MESSAGE);
    });
  }
}

/** A gRPC message without fields. */
const NO_MESSAGE = Buffer.alloc(5);
