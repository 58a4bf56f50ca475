import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../../../src/config/load-config.js';
import { readNetworkFile } from '../../../../src/node/devnet/network-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

t.test('listens on the loopback address unless option or file name another one', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  const file = readNetworkFile(dataDir, false, {});
  t.match(file.config.tronicle, { api: { address: '127.0.0.1' }, http: { address: '127.0.0.1' } });
  t.notOk(existsSync(dataDir), 'reading creates nothing');
  file.write();
  const { tronicle } = readNetworkFile(dataDir, false, { host: '0.0.0.0' }).config;
  t.match(tronicle, {
    api: { address: '0.0.0.0' },
    http: { address: '0.0.0.0' },
    admin: { address: '127.0.0.1' },
    follow: { listen: ['/ip4/0.0.0.0/tcp/18890/ws'] },
  });
  t.same(readNetworkFile(dataDir, false, { host: '::1' }).config.tronicle.follow.listen, ['/ip6/::1/tcp/18890/ws']);
  const conf = join(dataDir, 'devnet.conf');
  writeFileSync(conf, `${readFileSync(conf, 'utf8')}\ntronicle.api.address = "192.0.2.1"\n`);
  t.equal(readNetworkFile(dataDir, false, {}).config.tronicle.api.address, '192.0.2.1');
});

t.test('leaves the listen address of other commands as in java-tron', async (t) => {
  for (const name of ['devnet.conf', 'main.conf']) {
    const file = new URL(`../../../../config/${name}`, import.meta.url);
    const copy = join(temporaryFolder(t), name);
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll('{{genesisTime}}', '0'));
    t.equal(loadConfig({ file: copy }).config.tronicle.api.address, '0.0.0.0', name);
  }
});

t.test('moves all ports with one option', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  const file = readNetworkFile(dataDir, false, { portBase: '21000' });
  const { node, tronicle } = file.config;
  const { http, jsonrpc, rpc, metrics } = node;
  t.same(
    [
      ...[http.fullNodePort, http.solidityPort, http.pbftPort],
      ...[jsonrpc.httpFullNodePort, jsonrpc.httpSolidityPort, jsonrpc.httpPBFTPort],
      ...[rpc.port, rpc.solidityPort, rpc.pbftPort],
      ...[tronicle.http.port, tronicle.admin.port],
    ],
    Array.from({ length: 11 }, (_, at) => 21_000 + at),
  );
  t.same(tronicle.follow.listen, ['/ip4/127.0.0.1/tcp/21011/ws']);
  t.equal(metrics.prometheus.port, 21_012);
  file.write();
  const written = loadConfig({ file: join(dataDir, 'devnet-options.conf') }).config;
  t.equal(written.tronicle.admin.port, 21_010, 'for commands that use the running node');
  t.equal(readNetworkFile(dataDir, false, {}).config.node.http.fullNodePort, 8090, 'for one start only');
});

t.test('deletes the network of the folder only when a fresh one is written', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'devnet.conf'), 'of an older version {');
  const file = readNetworkFile(dataDir, true, {});
  t.match(readFileSync(join(dataDir, 'devnet.conf'), 'utf8'), 'older version');
  file.write();
  t.notMatch(readFileSync(join(dataDir, 'devnet.conf'), 'utf8'), /older version|genesisTime/);
});

t.test('rejects invalid options', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  for (const [options, message] of [
    [{ portBase: '65524' }, 'invalid --port-base: 65524; use a port in 1..65523'],
    [{ portBase: '0' }, /invalid --port-base/],
    [{ portBase: 'x' }, /invalid --port-base/],
    [{ host: 'example.org' }, /invalid --host: example.org/],
  ] as const)
    t.throws(() => readNetworkFile(dataDir, false, options), { message }, JSON.stringify(options));
});
