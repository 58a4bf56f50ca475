import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../support/peers/peer-node.js';

const child = fileURLToPath(new URL('./flooded-node-child.ts', import.meta.url));

/** State of a node. Memory is in bytes: the current value, and the maximum since the last request. */
export interface FloodedState {
  readonly port: number;
  /** Uncaught errors. */
  readonly failures: readonly string[];
  readonly bytes: number;
  readonly bytesMost: number;
  /** CPU time of the process so far. */
  readonly cpuMs: number;
  readonly head: number;
  /** Id of the head, hex. */
  readonly headId: string;
  readonly parentId: string;
  readonly headTimeMs: number;
  /** Discovery counters so far. */
  readonly udpIn: number;
  readonly udpOut: number;
  readonly datagramsIn: number;
  /** Number of the given blocks that the node has on any branch, pending transactions and connections. */
  readonly known: number;
  readonly waiting: number;
  readonly peers: number;
}

export interface NodeOrder {
  readonly do: 'state' | 'produce' | 'end';
  /** Number of blocks to produce. */
  readonly count?: number;
  /** Ids of the blocks to count, hex. */
  readonly ids?: readonly string[];
}

/** A node in a separate process, which may crash. */
export class FloodedNode {
  private readonly process: ChildProcess;
  private last: FloodedState;

  private constructor(running: ChildProcess, first: FloodedState) {
    this.process = running;
    this.last = first;
  }

  /** @param more HOCON lines after the configuration of the recorded chain */
  static async start(scope: Scope, release: string, more = ''): Promise<FloodedNode> {
    const running = fork(child, [release, more], { execArgv: ['--import', 'tsx', '--expose-gc'] });
    const node = new FloodedNode(running, await answerOf(running));
    scope.teardown(() => node.end());
    return node;
  }

  get port(): number {
    return this.last.port;
  }

  /** @param ids ids of the blocks to count, hex */
  state(ids: readonly string[] = []): Promise<FloodedState> {
    return this.ask({ do: 'state', ids });
  }

  produce(count: number): Promise<FloodedState> {
    return this.ask({ do: 'produce', count });
  }

  private async ask(order: NodeOrder): Promise<FloodedState> {
    this.process.send(order);
    this.last = await answerOf(this.process);
    return this.last;
  }

  private async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const closed = once(this.process, 'close');
    await this.ask({ do: 'end' }).catch(() => undefined);
    this.process.kill();
    await closed;
  }
}

/** @throws {Error} the process ended instead */
function answerOf(running: ChildProcess): Promise<FloodedState> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      running.off('message', received).off('exit', exited);
      settle();
    };
    const received = (state: unknown): void => done(() => resolve(state as FloodedState)); // The child process sends only messages of this type.
    const exited = (code: number | null, signal: string | null): void =>
      done(() => reject(new Error(`the node fell: ${signal ?? code}`)));
    running.once('message', received).once('exit', exited);
  });
}
