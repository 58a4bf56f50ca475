import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { DatabaseConnection } from '../../../../../src/streams/sinks/postgres/database-connection.js';
import type { PostgresSinkOptions } from '../../../../../src/streams/sinks/postgres/postgres-options.js';

/** Startup parameters that PgBouncer accepts in its default configuration. */
const ACCEPTED = new Set([
  ...['user', 'database', 'application_name', 'client_encoding', 'datestyle'],
  ...['timezone', 'standard_conforming_strings', 'IntervalStyle', 'in_hot_standby', 'default_transaction_read_only'],
]);
/** Bytes of a startup message before its parameters: length and version of the protocol. */
const HEAD_BYTES = 8;

t.test('sends only startup parameters that a connection pooler accepts', async (t) => {
  let startup = Buffer.alloc(0);
  const server = createServer((socket) =>
    socket.once('data', (bytes) => {
      startup = Buffer.from(bytes);
      socket.destroy();
    }),
  );
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://tronicle:secret@127.0.0.1:${port}/chain`;
  const connection = new DatabaseConnection({ name: 'db', url, schema: 'tronicle' } as PostgresSinkOptions);
  const attempt = connection.attempt(() => connection.connect());
  await t.rejects(attempt, { code: 'POSTGRES_FAILED' });
  const words = startup.subarray(HEAD_BYTES).toString().split('\0');
  const names = words.filter((word, index) => index % 2 === 0 && word !== '');
  t.ok(names.includes('application_name'));
  t.same(
    names.filter((name) => !ACCEPTED.has(name)),
    [],
  );
});
