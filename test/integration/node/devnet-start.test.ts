import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Teardown } from '../../support/devnet.js';
import { freePorts } from '../../support/free-port.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle, startTronicle } from '../../support/tronicle.js';
import { untilServed } from '../../support/until.js';

// Start of `tronicle devnet`: addresses, ports and the network that it creates.

/** Ports that `--port-base` sets, without that of Prometheus, which is off. */
const PORTS = 12;
/** Another loopback address of Linux. A listener on 127.0.0.1 does not accept its connections. */
const OTHER_ADDRESS = '127.0.0.2';

/** Starts a network and waits for its first block. @returns its output so far */
async function start(t: Teardown, base: number, ...args: readonly string[]): Promise<() => string> {
  const data = join(temporaryFolder(t), 'devnet');
  const child = startTronicle(['devnet', '--data', data, '--port-base', String(base), ...args]);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.pipe(process.stderr);
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await untilServed('blocks', async () => Number(await rpc(base + 3, 'eth_blockNumber')) > 2);
  return () => output;
}

async function rpc(port: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await reply.json()) as { result: unknown }).result;
}

/** Returns true if a program accepts connections. */
function isOpen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Returns the offsets of the ports that accept connections. */
async function openPorts(base: number, host: string): Promise<number[]> {
  const offsets = Array.from({ length: PORTS }, (_, offset) => offset);
  const open = await Promise.all(offsets.map((offset) => isOpen(base + offset, host)));
  return offsets.filter((offset) => open[offset]);
}

t.test('listens only on the loopback address', async (t) => {
  const base = await freePorts(PORTS + 1);
  const output = await start(t, base);
  await untilServed('all ports', async () => (await openPorts(base, '127.0.0.1')).length === PORTS);
  t.same(await openPorts(base, OTHER_ADDRESS), []);
  t.match(output(), `http://localhost:${base}/wallet`);
  t.match(output(), `http://localhost:${base + 9}`);
  t.match(output(), /at 127\.0\.0\.1, this machine only/);
});

t.test('listens on every address with --host 0.0.0.0, except the admin server', async (t) => {
  const base = await freePorts(PORTS + 1);
  await start(t, base, '--host', '0.0.0.0');
  await untilServed('all ports', async () => (await openPorts(base, OTHER_ADDRESS)).length === PORTS - 1);
  t.notOk((await openPorts(base, OTHER_ADDRESS)).includes(10));
});

t.test('ends with one sentence if a port is taken, before it creates the network', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const data = join(temporaryFolder(t), 'devnet');
  const { code, stdout, stderr } = await runTronicle(['devnet', '--data', data, '--port-base', String(port - 3)]);
  t.equal(code, 1);
  t.equal(stdout, '');
  t.equal(stderr.trim().split('\n').length, 1);
  t.match(stderr, `port ${port} for JSON-RPC (node.jsonrpc.httpFullNodePort) is in use by process ${process.pid} (`);
  t.match(stderr, '--port-base');
  t.notOk(existsSync(data));
});
