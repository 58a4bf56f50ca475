import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callFields, END_HEADERS, FrameType, frame, PREFACE } from '../support/grpc/http2-frames.js';
import type { Measurement } from './run.js';
import { RunningNode } from './support/running-node.js';

/**
 * A way to keep a connection open. `first` is sent at once, and `drop` is then sent repeatedly. The server must close
 * the connection after `cutMs` (ms).
 */
interface Drip {
  readonly name: string;
  readonly port: 'http' | 'jsonRpc' | 'grpc' | 'graphql';
  readonly first: string | Buffer;
  readonly drop: string | Buffer;
  readonly cutMs: number;
}

/** Time limit of the servers for headers, in ms. */
const HEAD_MS = 30_000;
/** Time limit of the servers for a whole request, in ms. */
const REQUEST_MS = 60_000;
/**
 * Time in ms by which the servers may exceed their limits, because they check the limits only every 5 s, and because
 * the machine is busy.
 */
const LATE_MS = 20_000;
const DRIP_MS = 3000;
const BODY = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';
/** Headers of a gRPC call whose request is never completed. */
const CALL = frame(FrameType.HEADERS, END_HEADERS, 1, callFields('protocol.Wallet/GetNowBlock'));

const drips: readonly Drip[] = [
  ...(['http', 'jsonRpc', 'graphql'] as const).flatMap((port) => [
    { name: `${port} head`, port, first: 'POST / HTTP/1.1\r\n', drop: 'X: y\r\n', cutMs: HEAD_MS },
    { name: `${port} body`, port, first: `POST ${pathOf(port)} HTTP/1.1\r\n${BODY}`, drop: ' ', cutMs: REQUEST_MS },
  ]),
  {
    name: 'grpc body',
    port: 'grpc',
    first: Buffer.concat([PREFACE, CALL, frame(FrameType.DATA, 0, 1, Buffer.from([0, 0, 0, 255, 0]))]),
    drop: frame(FrameType.DATA, 0, 1, Buffer.from([0])),
    cutMs: REQUEST_MS,
  },
];

export const slowRequests: Measurement = {
  title: 'survives slow heads and bodies over many connections to HTTP, JSON-RPC, gRPC and GraphQL',
  gate: 700,
  night: 9000,
  async run({ count, folder }) {
    const node = await RunningNode.start(join(folder, 'node'), 'node.maxHttpConnectNumber = 20000');
    const sockets: Held[] = [];
    try {
      const before = await goodClient(node, 5000);
      for (let at = 0; at < count; at++) sockets.push(new Held(drips[at % drips.length]!, node.ports));
      const during = await goodClient(node, REQUEST_MS + LATE_MS);
      for (const { drip, heldMs } of sockets) {
        assert.ok(heldMs !== undefined, `${drip.name} is still open`);
        assert.ok(heldMs <= drip.cutMs + LATE_MS, `${drip.name} was open for ${heldMs.toFixed(0)} ms`);
      }
      const longest = (name: string): string => {
        const times = sockets.filter(({ drip }) => drip.name === name).map(({ heldMs }) => heldMs ?? 0);
        return `${name} ${(Math.max(...times) / 1000).toFixed(0)} s`;
      };
      const figures =
        `${count} connections cut, at the latest after: ${drips.map(({ name }) => longest(name)).join(', ')}; ` +
        `the valid client: ${during.answers} calls: p99 ${during.p99.toFixed(1)} ms (${before.p99.toFixed(1)} before); ${node.memoryPeak()}`;
      assert.ok(during.p99 < Math.max(2 * before.p99, GOOD_MS), figures);
      return figures;
    } finally {
      for (const socket of sockets) socket.end();
      await node.stop();
    }
  },
};

/** Maximum response time in ms of a valid client, whose calls run during the measurement on a busy machine. */
const GOOD_MS = 200;

/** A connection that sends its bytes slowly. */
class Held {
  readonly drip: Drip;
  /**
   * Time in ms from the start until the server has ended the connection (for gRPC, the stream). Undefined while it is
   * open.
   */
  heldMs: number | undefined;
  private readonly socket: Socket;
  private readonly timer: NodeJS.Timeout;

  constructor(drip: Drip, ports: RunningNode['ports']) {
    this.drip = drip;
    const started = performance.now();
    const over = (): void => {
      clearInterval(this.timer);
      this.heldMs ??= performance.now() - started;
    };
    this.socket = connect(ports[drip.port], '127.0.0.1', () => this.socket.write(drip.first));
    this.timer = setInterval(() => this.socket.writable && this.socket.write(drip.drop), DRIP_MS);
    this.socket.on('error', over);
    this.socket.on('close', over);
    this.socket.on('data', (bytes: Buffer) => {
      // Detects the end of the request. An HTTP server closes the connection, and first answers if it has read the
      // headers. An HTTP/2 server resets stream 1 (RST_STREAM), or answers on it.
      if (drip.port !== 'grpc' || bytes.includes(Buffer.from([3, 0, 0, 0, 0, 1]))) over();
    });
  }

  end(): void {
    clearInterval(this.timer);
    this.socket.destroy();
  }
}

async function goodClient(node: RunningNode, forMs: number): Promise<{ answers: number; p99: number }> {
  const times: number[] = [];
  for (const end = Date.now() + forMs; Date.now() < end; await sleep(50)) {
    const started = performance.now();
    assert.ok((await node.height()) >= 0);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { answers: times.length, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

function pathOf(port: 'http' | 'jsonRpc' | 'graphql'): string {
  return port === 'http' ? '/wallet/getaccount' : port === 'jsonRpc' ? '/jsonrpc' : '/graphql';
}
