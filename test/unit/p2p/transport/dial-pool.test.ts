import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { libp2p120, libp2p228, type TransportRules } from '../../../../src/p2p/releases/transport-rules.js';
import type { Channel } from '../../../../src/p2p/transport/channel.js';
import { ChannelTable } from '../../../../src/p2p/transport/channel-table.js';
import { DialPool } from '../../../../src/p2p/transport/dial-pool.js';
import { createNodeId, type NodeAddress } from '../../../../src/p2p/transport/node-address.js';
import { until } from '../../../support/until.js';

const limits = { minConnections: 1, minActiveConnections: 0, maxConnections: 30, maxConnectionsWithSameIp: 2 };
const self = { id: createNodeId(), ipv4: '10.9.9.9', ipv6: undefined, port: 1 };
/** Nodes of the node table, the newest first. */
const nodes = Array.from(
  { length: 60 },
  (_, at): NodeAddress => ({ id: createNodeId(), ipv4: `10.0.0.${at + 1}`, ipv6: undefined, port: 1 }),
);

/** Returns the index of the node that is dialled first among 60 nodes. Index 0 is the newest node. */
async function firstDialled(
  t: Test,
  rules: TransportRules,
  random: () => number,
  detected: readonly NodeAddress[] = [],
): Promise<number> {
  const dialled: string[] = [];
  const table = new ChannelTable(limits, { ownId: self.id, now: Date.now });
  const dial = ({ host }: { host: string }): void => void dialled.push(host);
  const options = { ...limits, evictsWhenFull: false, rules, table, random, now: Date.now };
  const pool = new DialPool({
    ...options,
    self: () => self,
    activeNodes: () => [],
    candidates: () => nodes,
    dial,
    detected: () => detected,
  });
  t.teardown(() => pool.close());
  pool.start();
  await until('a node is dialled', () => dialled.length > 0);
  pool.close();
  t.equal(dialled.length, 1);
  return nodes.findIndex(({ ipv4 }) => ipv4 === dialled[0]);
}

t.test('dials a random one of the fifty newest nodes, or the newest in release 4.7.2', async (t) => {
  const falling = (): (() => number) => {
    let next = 1;
    return () => {
      next /= 2;
      return next;
    };
  };
  t.equal(await firstDialled(t, libp2p228, falling()), 49, 'the last node has the lowest random number');
  t.equal(await firstDialled(t, libp2p120, falling()), 0);
  t.same([libp2p228.candidatesFor?.(5), libp2p228.candidatesFor?.(6)], [50, 60]);
});

t.test('dials nodes with reported free capacity first', async (t) => {
  for (const rules of [libp2p120, libp2p228]) t.equal(await firstDialled(t, rules, () => 0, [nodes[57]!]), 57);
});

t.test('dials DNS tree nodes only if no others are left', async (t) => {
  const listed = [0, 1, 2].map((at) => ({ ...nodes[at]!, ipv4: `10.1.0.${at}` }));
  for (const rules of [libp2p120, libp2p228]) {
    const dialled: string[] = [];
    const table = new ChannelTable(limits, { ownId: self.id, now: Date.now });
    const dial = ({ host }: { host: string }): void => void dialled.push(host);
    const sources = { activeNodes: () => [], candidates: () => nodes.slice(0, 1), listed: () => listed };
    const options = { ...limits, minConnections: 3, minActiveConnections: 3, evictsWhenFull: false };
    const pool = new DialPool({
      ...options,
      ...sources,
      rules,
      table,
      random: () => 0.5,
      now: Date.now,
      self: () => self,
      dial,
    });
    t.teardown(() => pool.close());
    pool.start();
    await until('nodes are dialled', () => dialled.length >= 3);
    t.equal(dialled[0], nodes[0]!.ipv4);
    t.same(dialled.slice(1).filter((host) => host.startsWith('10.1.0.')).length, 2);
  }
});

// Reference: TronNetService.updateConfig.
t.test('dials no more nodes than the connection limit', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const dialled: string[] = [];
  const table = new ChannelTable(limits, { ownId: self.id, now: Date.now });
  const dial = ({ host }: { host: string }): void => void dialled.push(host);
  const pool = new DialPool({
    ...{ minConnections: 8, minActiveConnections: 7, maxConnections: 2, maxConnectionsWithSameIp: 2 },
    ...{ evictsWhenFull: false, rules: libp2p120, table, now: Date.now, self: () => self },
    activeNodes: () => [],
    candidates: () => nodes,
    dial,
  });
  pool.start();
  mock.timers.tick(200);
  pool.close();
  mock.timers.reset();
  t.equal(dialled.length, 2);
});

// Reference: Node.getPreferInetSocketAddress.
t.test('dials a configured node of a common address family', async (t) => {
  const four = { host: '10.1.1.1', port: 1 };
  const six = { host: '2001:db8:0:0:0:0:0:1', port: 1 };
  const ownSix = { ...self, ipv6: '2001:db8:0:0:0:0:0:2' };
  for (const [own, expected] of [
    [self, [four.host]],
    [ownSix, [four.host, six.host]],
    [{ ...ownSix, ipv4: undefined }, [six.host]],
  ] as const) {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const dialled: string[] = [];
    const table = new ChannelTable(limits, { ownId: self.id, now: Date.now });
    const dial = ({ host }: { host: string }): void => void dialled.push(host);
    const options = { ...limits, minConnections: 0, evictsWhenFull: false, rules: libp2p120, table, now: Date.now };
    const pool = new DialPool({
      ...options,
      self: () => own,
      activeNodes: () => [four, six],
      candidates: () => [],
      dial,
    });
    pool.start();
    mock.timers.tick(200);
    pool.close();
    mock.timers.reset();
    t.same(dialled, expected);
  }
});

t.test('does not evict random connections since 4.8.2', async (t) => {
  t.same([libp2p228.evictsAtRandom, libp2p120.evictsAtRandom], [false, true]);
  for (const rules of [libp2p120, libp2p228]) {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let isClosed = false;
    const close = (): void => {
      isClosed = true;
    };
    const channel = { isClosed: false, isTrusted: false, isActive: false, close };
    const table = new ChannelTable({ ...limits, maxConnections: 0 }, { ownId: self.id, now: Date.now });
    const options = { ...limits, maxConnections: 0, evictsWhenFull: true, rules, table, now: Date.now };
    const dial = (): void => undefined;
    const pool = new DialPool({ ...options, self: () => self, activeNodes: () => [], candidates: () => [], dial });
    pool.start();
    // Contains only the parts of a channel that the pool reads.
    pool.opened(channel as unknown as Channel);
    mock.timers.tick(30_000);
    pool.close();
    mock.timers.reset();
    t.equal(isClosed, rules.evictsAtRandom);
  }
});
