import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TronWeb } from 'tronweb';
import { loadConfig } from '../../../../src/config/load-config.js';
import { encodeBase58Check } from '../../../../src/crypto/base58-check.js';
import { chainRules, genesisOf } from '../../../../src/node/chain-config.js';
import { accountsJson, devnetAccounts } from '../../../../src/node/devnet/devnet-accounts.js';
import { readNetworkFile } from '../../../../src/node/devnet/network-file.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

t.test('listens on the loopback address unless --host or the configuration file sets another one', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  const file = readNetworkFile(dataDir, false, {});
  t.match(file.config.tronicle, { api: { address: '127.0.0.1' }, http: { address: '127.0.0.1' } });
  t.notOk(existsSync(dataDir), 'reading the file creates no folder');
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

t.test('uses the listen address of java-tron for other commands', async (t) => {
  for (const name of ['devnet.conf', 'main.conf']) {
    const file = new URL(`../../../../config/${name}`, import.meta.url);
    const copy = join(temporaryFolder(t), name);
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll('{{genesisTime}}', '0'));
    t.equal(loadConfig({ file: copy }).config.tronicle.api.address, '0.0.0.0', name);
  }
});

t.test('sets all ports with one option', async (t) => {
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
  t.equal(written.tronicle.admin.port, 21_010, 'later commands find the port of the running node');
  t.equal(
    readNetworkFile(dataDir, false, {}).config.node.http.fullNodePort,
    8090,
    'the option applies to one start only',
  );
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
    [{ portBase: '65524' }, 'invalid --port-base: 65524; use an integer in 1..65523'],
    [{ portBase: '0' }, /invalid --port-base/],
    [{ portBase: 'x' }, /invalid --port-base/],
    [{ host: 'example.org' }, /invalid --host: example.org/],
    [{ kafka: 'broker' }, /invalid --kafka: use host:port/],
    [{ kafka: 'a:9092, b' }, /invalid --kafka: use host:port/],
    [{ kafka: 'user:secret@broker:9092' }, 'invalid --kafka: use host:port, or several brokers separated by commas'],
  ] as const)
    t.throws(() => readNetworkFile(dataDir, false, options), { message }, JSON.stringify(options));
});

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

t.test('creates a network with other accounts, chain id and release, and keeps them', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  const options = { accounts: '3', mnemonic: WORDS, chainId: '31337', release: '4.7.2', blockTime: '70' };
  readNetworkFile(dataDir, false, options).write();
  const { config } = readNetworkFile(dataDir, false, {});
  t.match(config.tronicle, { release: '4.7.2', devnet: { accounts: 3, mnemonic: WORDS, chainId: 31_337 } });
  const funded = config.genesis.accounts.filter(({ name }) => name.startsWith('account'));
  t.same(
    funded.map(({ address }) => encodeBase58Check(fromHex(address))),
    devnetAccounts(config.tronicle.devnet).map(({ address }) => address),
  );
  t.equal(funded.length, 3);
  // A genesis with a parameter that the release does not have would prevent the start of the node.
  t.doesNotThrow(() => genesisOf(config, chainRules(config)));
  t.equal(config.tronicle.genesisParameters.has('getAllowTvmOsaka'), false);
  t.match(chainRules(config), { chainId: 31_337, slotMs: 70 });
  t.equal(config.genesis.timestamp % 70, 0, 'the genesis time is a slot');
  t.doesNotThrow(() => readNetworkFile(dataDir, false, options), 'equal options');
  const others = { accounts: '4', mnemonic: `${WORDS} x`, chainId: '1', release: '4.8.2', blockTime: '3000' };
  for (const [name, value] of Object.entries(others))
    t.throws(() => readNetworkFile(dataDir, false, { [name]: value }), { message: /add --fresh/ }, name);
});

t.test('derives accounts as TRON wallets do', async (t) => {
  // Account at the path m/44'/195'/0'/0/0 of the first test mnemonic of BIP-39, as TronWeb derives it.
  const [first] = devnetAccounts({ accounts: 1, mnemonic: WORDS });
  const { address, privateKey } = TronWeb.fromMnemonic(WORDS, "m/44'/195'/0'/0/0");
  t.same(first, { address, privateKey: privateKey.slice(2) });
});

t.test('has the accounts, the chain id and the keys of the template by default', async (t) => {
  const { config } = readNetworkFile(join(temporaryFolder(t), 'devnet'), false, {});
  const addresses = new Set(config.genesis.accounts.map(({ address }) => encodeBase58Check(fromHex(address))));
  const accounts = devnetAccounts(config.tronicle.devnet);
  t.equal(accounts.length, 10);
  for (const { address } of accounts) t.ok(addresses.has(address), address);
  t.match(chainRules(config), { chainId: 1337, slotMs: 3000 });
  t.match(accountsJson(config.tronicle.devnet), { mnemonic: '', privateKeys: accounts.map((one) => one.privateKey) });
});

t.test('rejects invalid values of a new network', async (t) => {
  const dataDir = join(temporaryFolder(t), 'devnet');
  for (const [options, message] of [
    [{ accounts: '0' }, /invalid --accounts: 0/],
    [{ accounts: '1001' }, /invalid --accounts: 1001/],
    [{ mnemonic: 'abandon about' }, /invalid --mnemonic/],
    [{ chainId: '0' }, /invalid --chain-id/],
    [{ blockTime: '19' }, /invalid --block-time: 19; use an integer of ms in 20\.\.3000/],
    [{ chainId: '2147483648' }, /invalid --chain-id/],
    [{ release: '9.9' }, /invalid --release: 9\.9; use 4\.7\.2/],
  ] as const)
    t.throws(() => readNetworkFile(dataDir, false, options), { message }, JSON.stringify(options));
});
