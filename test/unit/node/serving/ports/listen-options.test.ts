import { createServer } from 'node:net';
import t from 'tap';
import { listenOptions, PORT_COUNT, SharedPorts } from '../../../../../src/node/serving/ports/listen-options.js';
import { freePort } from '../../../../support/free-port.js';

const host = '127.0.0.1';

t.test('shares no port if one thread serves it', async (t) => {
  t.same(await listenOptions({ port: 8090, host }, undefined), { port: 8090, host, reusePort: false });
});

t.test('does not share a port with another program', async (t) => {
  const taken = new SharedArrayBuffer(PORT_COUNT);
  const [first, second] = [true, false].map((probesPorts) => new SharedPorts({ taken, probesPorts }));
  const free = await freePort();
  t.same(await listenOptions({ port: free, host }, first), { port: free, host, reusePort: true });
  t.same(await listenOptions({ port: free, host }, second), { port: free, host, reusePort: true });

  const other = createServer();
  await new Promise<void>((resolve) => other.listen({ port: 0, host }, resolve));
  t.teardown(() => other.close());
  const { port } = other.address() as { port: number };
  for (const thread of [first, second])
    await t.rejects(listenOptions({ port, host }, thread), {
      code: 'PORT_IN_USE',
      message: `another program listens on port ${port}`,
    });
  await t.rejects(listenOptions({ port: free, host }, first), {
    message: `another server of this node has port ${free}`,
  });
  t.equal(new Uint8Array(taken)[free], 0, 'the other threads still share the port');
  await t.rejects(listenOptions({ port: free, host: '192.0.2.1' }, first), { code: 'EADDRNOTAVAIL' });
});
