import t from 'tap';
import { listenOptions, SharedPorts } from '../../../../../src/node/serving/ports/shared-ports.js';

const host = '127.0.0.1';

t.test('shares no port if one thread serves it', async (t) => {
  t.same(listenOptions({ port: 8090, host }, undefined), { port: 8090, host, reusePort: false });
});

t.test('does not share a port with another program, or between two servers', async (t) => {
  const ports = new SharedPorts([
    { port: 8091, host, code: 'EADDRINUSE' },
    { port: 80, host, code: 'EACCES' },
  ]);
  t.same(listenOptions({ port: 8090, host }, ports), { port: 8090, host, reusePort: true });
  for (const [port, code] of [
    [8091, 'EADDRINUSE'],
    [80, 'EACCES'],
    [8090, 'EADDRINUSE'],
  ] as const)
    t.throws(() => listenOptions({ port, host }, ports), {
      code: 'PORT_IN_USE',
      message: `listen ${code}: ${host}:${port}`,
    });
  const other = { port: 8091, host: '192.0.2.1' };
  t.same(listenOptions(other, ports), { ...other, reusePort: true }, 'another address');
});
