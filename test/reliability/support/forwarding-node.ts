import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SinkStatus } from '../../../src/streams/forwarding/sink-status.js';
import type { SinkOptions } from '../../../src/streams/sinks/sink-kinds.js';
import type { ForwardingRequest, GrowAnswer, GrowRequest } from './forwarding-child.js';

const child = fileURLToPath(new URL('./forwarding-child.ts', import.meta.url));
const TIMEOUT_MS = 180_000;

export interface ForwardingNodeOptions {
  readonly dataDir: string;
  readonly bootstrap: string;
  readonly sink?: Partial<Omit<SinkOptions, 'topicNames'>>;
}

/** A growing chain with one Kafka sink. It runs in a separate process, which can be stopped or killed. */
export class ForwardingNode {
  /** States of the sink so far, oldest first. */
  readonly statuses: SinkStatus[] = [];
  readonly exit: Promise<number | null>;
  private readonly running: ChildProcess;
  private readonly answers: GrowAnswer[] = [];

  constructor({ dataDir, bootstrap, sink = {} }: ForwardingNodeOptions) {
    const args = [...process.execArgv, child, dataDir, bootstrap, JSON.stringify(sink)];
    this.running = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.exit = new Promise((resolve) => this.running.once('close', resolve));
    // Ignores errors of writes to a killed process.
    this.running.stdin!.on('error', () => undefined);
    createInterface({ input: this.running.stdout! }).on('line', (line) => {
      const { status, answer } = JSON.parse(line) as { status?: SinkStatus; answer?: GrowAnswer };
      if (status !== undefined) this.statuses.push(status);
      if (answer !== undefined) this.answers.push(answer);
    });
  }

  get status(): SinkStatus | undefined {
    return this.statuses.at(-1);
  }

  /** Appends blocks up to a height. Resolves when they are appended. */
  async grow(request: Pick<GrowRequest, 'to'> & Partial<GrowRequest>): Promise<GrowAnswer> {
    const before = this.answers.length;
    this.query({ do: 'grow', transactions: 3, memoBytes: 4, everyMs: 0, ...request });
    await this.until('the answer of the process', () => this.answers.length > before);
    return this.answers[before]!;
  }

  /** Starts to append blocks, without waiting for the result. */
  growOn(request: Pick<GrowRequest, 'to'> & Partial<GrowRequest>): void {
    this.query({ do: 'grow', transactions: 3, memoBytes: 4, everyMs: 0, ...request });
  }

  /** Waits until the sink has forwarded the block at a height. */
  forwarded(number: number): Promise<void> {
    return this.until(`block ${number} to be forwarded`, () => (this.status?.number ?? -1) >= number);
  }

  /** Waits until the sink has stopped with an error that the operator must solve. @returns the error text */
  async refused(): Promise<string> {
    await this.until('a refusal', () => this.status?.state === 'stopped');
    return this.status?.problem ?? '';
  }

  /** Waits until all blocks are forwarded. Then ends the process. */
  async drain(): Promise<void> {
    this.query({ do: 'drain', quietMs: TIMEOUT_MS });
    if ((await this.exit) !== 0) throw new Error('the exit code is not 0');
  }

  signal(signal: NodeJS.Signals): void {
    this.running.kill(signal);
  }

  async kill(): Promise<void> {
    this.running.kill('SIGKILL');
    await this.exit;
  }

  async until(what: string, isTrue: () => boolean, timeoutMs = TIMEOUT_MS): Promise<void> {
    for (const limit = Date.now() + timeoutMs; Date.now() < limit; await sleep(20)) {
      if (isTrue()) return;
      const { exitCode, signalCode } = this.running;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`ended by ${exitCode ?? signalCode} before ${what}`);
    }
    throw new Error(`waited ${timeoutMs / 1000} s for ${what}; the sink is ${JSON.stringify(this.status)}`);
  }

  private query(request: ForwardingRequest): void {
    this.running.stdin!.write(`${JSON.stringify(request)}\n`);
  }
}
