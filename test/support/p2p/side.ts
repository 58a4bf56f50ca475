import type { Test } from 'tap';
import { libp2p120 } from '../../../src/p2p/releases/transport-rules.js';
import type { Channel } from '../../../src/p2p/transport/channel.js';
import { createNodeId } from '../../../src/p2p/transport/node-address.js';
import { Transport, type TransportOptions } from '../../../src/p2p/transport/transport.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { freePort } from '../free-port.js';
import { silentLog } from './silent-log.js';

export const NETWORK = 11111;

/** A transport and the events that it has emitted. */
export interface Side {
  readonly transport: Transport;
  /** Node id of the transport. */
  readonly id: string;
  readonly port: number;
  readonly connected: Channel[];
  readonly disconnected: Channel[];
  readonly messages: string[];
  /** Resolves when the condition is true. Evaluates the condition after every event. */
  wait(until: () => boolean): Promise<void>;
}

/** Creates a transport that listens on a free port. By default, it emulates release 4.7.2. */
export async function side(t: Test, options: Partial<TransportOptions> = {}): Promise<Side> {
  const port = await freePort();
  const id = createNodeId();
  const connected: Channel[] = [];
  const disconnected: Channel[] = [];
  const messages: string[] = [];
  const waiters = new Set<() => void>();
  const notify = (): void => {
    for (const wake of waiters) wake();
  };
  const transport = new Transport({
    rules: libp2p120,
    networkId: NETWORK,
    self: () => ({ id, ipv4: '127.0.0.1', ipv6: undefined, port }),
    listenPort: port,
    activeNodes: () => [],
    isTrusted: () => false,
    candidates: () => [],
    minConnections: 0,
    minActiveConnections: 0,
    maxConnections: 30,
    maxConnectionsWithSameIp: 10,
    evictsWhenFull: false,
    log: silentLog,
    now: Date.now,
    handler: {
      connected: (channel) => {
        connected.push(channel);
        notify();
      },
      disconnected: (channel) => {
        disconnected.push(channel);
        notify();
      },
      message: (_channel, bytes) => {
        messages.push(toHex(bytes));
        notify();
      },
    },
    ...options,
  });
  await transport.start();
  t.teardown(() => transport.close());
  const wait = (until: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!until()) return;
        waiters.delete(check);
        resolve();
      };
      waiters.add(check);
      check();
    });
  return { transport, id, port, connected, disconnected, messages, wait };
}
