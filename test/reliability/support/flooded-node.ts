import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../support/peers/peer-node.js';
import { enterMemoryGroup, withinMemoryLimit } from './memory-limit.js';

const child = fileURLToPath(new URL('./flooded-node-child.ts', import.meta.url));

/** State of a node in a separate process. */
export interface FloodedState {
  readonly port: number;
  /** Texts of uncaught errors. */
  readonly failures: readonly string[];
  /** Current memory in bytes. */
  readonly bytes: number;
  /** Maximum memory in bytes since the last report. */
  readonly bytesMost: number;
  /** CPU time of the process so far, in ms. */
  readonly cpuMs: number;
  readonly head: number;
  /** Id of the head, in hex. */
  readonly headId: string;
  readonly parentId: string;
  readonly headTimeMs: number;
  /** Number of discovery messages that the node has received so far. */
  readonly udpIn: number;
  /** Number of discovery messages that the node has sent so far. */
  readonly udpOut: number;
  readonly datagramsIn: number;
  /** Number of the given blocks that the node has on any branch. */
  readonly known: number;
  /** Number of pending transactions. */
  readonly pending: number;
  /** Number of connections to peers. */
  readonly peers: number;
}

export interface NodeOrder {
  readonly do: 'state' | 'produce' | 'end';
  /** Number of blocks that the node must produce. */
  readonly count?: number;
  /** Ids of the blocks to count, in hex. */
  readonly ids?: readonly string[];
}

/** A node in a separate process, which a test may crash. */
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
    enterMemoryGroup(running.pid);
    const node = new FloodedNode(running, await answerOf(running));
    scope.teardown(() => node.end());
    return node;
  }

  get port(): number {
    return this.last.port;
  }

  /** Returns a text with the maximum memory of the node. @throws {Error} it is above the limit */
  memoryPeak(): string {
    return withinMemoryLimit(this.process.pid);
  }

  /** Requests the state of the node. @param ids ids of the blocks to count, in hex */
  state(ids: readonly string[] = []): Promise<FloodedState> {
    return this.request({ do: 'state', ids });
  }

  produce(count: number): Promise<FloodedState> {
    return this.request({ do: 'produce', count });
  }

  private async request(order: NodeOrder): Promise<FloodedState> {
    this.process.send(order);
    this.last = await answerOf(this.process);
    return this.last;
  }

  private async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const closed = once(this.process, 'close');
    await this.request({ do: 'end' }).catch(() => undefined);
    this.process.kill();
    await closed;
  }
}

/** Waits for the next message of the child process. @throws {Error} the process has ended */
function answerOf(running: ChildProcess): Promise<FloodedState> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      running.off('message', received).off('exit', exited);
      settle();
    };
    const received = (state: unknown): void => done(() => resolve(state as FloodedState)); // Cast: the child sends only this type.
    const exited = (code: number | null, signal: string | null): void =>
      done(() => reject(new Error(`the node ended: ${signal ?? code}`)));
    running.once('message', received).once('exit', exited);
  });
}
