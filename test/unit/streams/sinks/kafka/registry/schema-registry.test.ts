import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { SchemaRegistry } from '../../../../../../src/streams/sinks/kafka/registry/schema-registry.js';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../../../support/streams/certificate.js';
import { RegistryServer } from '../../../../../support/streams/registry-server.js';
import { temporaryFolder } from '../../../../../support/temporary-folder.js';

const schema = { schemaType: 'AVRO', schema: '"long"' } as const;

t.test('connects with the certificate authority and the client certificate of the configuration', async (t) => {
  const server = await RegistryServer.start(t, 7, { isSecure: true });
  const folder = temporaryFolder(t);
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, CERTIFICATE);
  writeFileSync(key, CERTIFICATE_KEY);
  const url = `https://user:secret@127.0.0.1:${server.port}/registry`;
  const idOf = (tls: object): Promise<number> => new SchemaRegistry({ url, tls }).idOf('a-value', schema);
  t.equal(await idOf({ ca: cert, cert, key }).catch(String), 7);
  t.match(server.registrations, [{ subject: 'a-value', authorization: 'Basic dXNlcjpzZWNyZXQ=' }]);
  for (const [tls, message] of [
    [{}, /cannot be reached: self-signed certificate/],
    [{ ca: cert }, /cannot be reached: .*(certificate required|ECONNRESET|socket hang up)/],
    [{ ca: join(folder, 'missing.pem') }, /cannot be reached: ENOENT: .*missing\.pem/],
  ] as const) {
    const error = await idOf(tls).catch((error: Error) => error);
    t.match(error, { code: 'SCHEMA_REGISTRY', message }, JSON.stringify(tls));
    t.notMatch((error as Error).message, /secret/);
  }
});

t.test('fails after a limited time or a limited number of bytes, and can then be tried again', async (t) => {
  let reply: string | undefined;
  const server = createServer((_request, response) => {
    if (reply === undefined) response.write('{"id":');
    else response.end(reply);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const registry = new SchemaRegistry({ url: `http://127.0.0.1:${port}`, timeoutMs: 200 });
  await t.rejects(registry.idOf('a-value', schema), { code: 'SCHEMA_REGISTRY', message: /: no response in 0\.2 s/ });
  reply = ' '.repeat(1024 * 1024 + 1);
  await t.rejects(registry.idOf('a-value', schema), { code: 'SCHEMA_REGISTRY', message: /more than 1048576 bytes/ });
  reply = '{"id":3}';
  t.equal(await registry.idOf('a-value', schema), 3);
  reply = '{"id":4}';
  t.equal(await registry.idOf('a-value', schema), 3, 'the id is cached');
});
