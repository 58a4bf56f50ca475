import { join } from 'node:path';
import t from 'tap';
import { knownKeys } from '../../../src/config/config-table.js';
import { type Flags, parseFlags } from '../../../src/config/flags.js';
import { formerKeys } from '../../../src/config/former-keys.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom, loadConfig, MAIN_NET_FILE } from '../../../src/config/load-config.js';

const KEY = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';

t.test('uses java-tron defaults for a file with only a storage section', async (t) => {
  const { config, warnings } = load('');
  t.same(warnings, []);
  t.match(config, {
    addressPrefix: 0x41,
    outputDirectory: 'output-directory',
    energyLimitBlockNum: 4_727_890,
    genesis: { timestamp: 0, parentHash: '00', accounts: [], witnesses: [] },
    vm: { supportConstant: false, maxEnergyLimitForConstant: 100_000_000n, maxTimeRatio: 5, estimateEnergyMaxRetry: 3 },
    block: { maintenanceTimeInterval: 21_600_000, proposalExpireTime: 259_200_000, checkFrozenTime: 1 },
    transaction: { referenceBlock: 'solid', expirationMs: 60_000 },
    node: { rpc: { port: 50051 }, http: { fullNodePort: 8090 }, fetchBlock: { timeout: 500 }, maxConnections: 30 },
    committee: { allowTvmVote: 0n, memoFee: 0n },
    tronicle: { history: { retention: 'unsolidified' }, sinks: [], projections: [] },
  });
  t.equal(config.node.http.maxMessageSize, undefined);
  t.equal(config.eventSubscribe, undefined);
  t.throws(() => Object.assign(config.vm, { supportConstant: true }), TypeError, 'the configuration is frozen');
});

t.test('clamps bounded values that are out of range', async (t) => {
  const { config } = load(`
    vm { maxEnergyLimitForConstant = 5, lruCacheSize = 0, estimateEnergyMaxRetry = 99 }
    node { fetchBlock.timeout = 5000, syncFetchBatchNum = 1, maxFastForwardNum = 99, blockProducedTimeOut = 1, agreeNodeCount = 40,
      dynamicConfig.checkInterval = -1, maxConnections = 5, minConnections = 8, minActiveConnections = 7 }
    committee { memoFee = 5000000000, unfreezeDelayDays = -3, dynamicEnergyThreshold = 200000000000000000 }
    trx.expiration.timeInMilliseconds = -1
    storage.txCache.estimatedTransactions = 5`);
  t.match(config.vm, { maxEnergyLimitForConstant: 3_000_000n, lruCacheSize: 500, estimateEnergyMaxRetry: 10 });
  t.match(config.node, {
    fetchBlock: { timeout: 1000 },
    syncFetchBatchNum: 100,
    maxFastForwardNum: 27,
    blockProducedTimeOut: 30,
  });
  t.match(config.node, {
    agreeNodeCount: 27,
    dynamicConfig: { checkInterval: 600 },
    minConnections: 8,
    minActiveConnections: 7,
  });
  t.match(config.committee, { memoFee: 1_000_000_000n, unfreezeDelayDays: 0n, dynamicEnergyThreshold: 10n ** 17n });
  t.equal(config.transaction.expirationMs, 60_000);
  t.equal(config.storage.txCache.estimatedTransactions, 100);
});

t.test('warns of a number that is cut or replaced by a bound', async (t) => {
  const { warnings } = load(`
    vm { estimateEnergyMaxRetry = 99, lruCacheSize = 600 }
    node.maxConnections = 30.7
    node.rpc.maxConnectionAgeInMillis = 9223372036854775807
    node.maxHttpConnectNumber = 1e2
    committee.memoFee = 5000000000`);
  t.same(
    warnings.map((text) => text.replace(/^[^:]*: \d+: /, '')),
    [
      'vm.estimateEnergyMaxRetry = 99 cannot be used, the node uses 10',
      'node.maxConnections = 30.7 cannot be used, the node uses 30',
      'committee.memoFee = 5000000000 cannot be used, the node uses 1000000000',
    ],
  );
});

t.test('warns of keys that have no effect because of their form or of another key', async (t) => {
  const { warnings } = load(`
    node.listen = 5
    "node.maxConnections" = 7
    node.dns.dnsDomain = a.example
    node.connectFactor = 0.5
    net.type = tesnet
    trx.expiration.timeInMilliseconds = -1`);
  t.same(
    warnings.map((text) => text.replace(/^[^:]*: \d+: /, '')),
    [
      'net.type = "tesnet" has the effect of "mainnet"; use mainnet or testnet',
      'trx.expiration.timeInMilliseconds = -1 cannot be used, the node uses 60000',
      'node.listen has no effect, because it must be an object { … }',
      'unknown key "node.maxConnections", the nearest known one is node.maxConnections',
      'node.dns.dnsDomain has no effect without node.dns.publish = true',
      'node.connectFactor has no effect without node.maxActiveNodes',
    ],
  );
});

t.test('lists at most 100 unknown keys', async (t) => {
  const { warnings } = load(Array.from({ length: 150 }, (_, at) => `other${at} = 1`).join('\n'));
  t.equal(warnings.length, 101);
  t.equal(warnings.at(-1), '50 more keys are unknown');
});

t.test('warns of a rate limit without all members', async (t) => {
  const { config, warnings } = load('rate.limiter.http = [ { component = GetNowBlockServlet, strategy = A } ]');
  t.same(config.rateLimiter.http, []);
  t.match(warnings, [/: an element of rate\.limiter\.http has no paramString, so it has no effect$/]);
});

t.test('rejects origins and host names that no request can have', async (t) => {
  const origins = ['*', 'null', 'https://wallet.example', 'http://localhost:3000', 'chrome-extension://abcdef'];
  t.same(load(`tronicle.api.cors = ${JSON.stringify(origins)}`).config.tronicle.api.cors, origins);
  for (const text of ['localhost:3000', 'https://a.example/', 'https://a.example:443', 'https://A.example', 'a b', ''])
    t.throws(
      () => load(`tronicle.api.cors = [ "${text}" ]`),
      { message: /: Check tronicle\.api\.cors, must be/ },
      text,
    );
  const hosts = ['node.example', 'my_node', '10.0.0.1', '::1'];
  t.same(load(`tronicle.api.hosts = ${JSON.stringify(hosts)}`).config.tronicle.api.hosts, hosts);
  for (const text of ['http://node.example', 'node.example:8090', '[::1]', 'node.example.', ''])
    t.throws(
      () => load(`tronicle.api.hosts = [ "${text}" ]`),
      { message: /: Check tronicle\.api\.hosts, must be/ },
      text,
    );
});

// Reference: NodeConfig.fromConfig, with the factors in reference.conf.
t.test('sets the minimum number of peers from the old key of the maximum since 4.8.2', async (t) => {
  for (const [release, minima] of [
    ['4.7.2', { minConnections: 8, minActiveConnections: 3 }],
    ['4.8.2', { minConnections: 4, minActiveConnections: 0 }],
  ] as const) {
    const { config } = load(`tronicle.release = "${release}"\nnode.maxActiveNodes = 7`);
    t.match(config.node, { maxConnections: 7, ...minima }, release);
  }
});

t.test('prefers the old key names of peer limits to the new ones', async (t) => {
  const { config } = load(
    'node { maxActiveNodes = 40, connectFactor = 0.13, activeConnectFactor = 0.1, maxActiveNodesWithSameIp = 9 }',
  );
  t.match(config.node, { maxConnections: 40, minConnections: 5, minActiveConnections: 4, maxConnectionsWithSameIp: 9 });
});

const publish = `dnsDomain = "nodes.example", dnsPrivate = "${KEY}", serverType = aws, accessKeyId = id, accessKeySecret = topsecret, awsRegion = r`;
/** Name of the case, configuration, and error message. */
type Refused = readonly [name: string, text: string, message: string | RegExp];
const refused: readonly Refused[] = [
  [
    'storage.snapshot.maxFlushCount',
    'storage.snapshot.maxFlushCount = 0',
    'MaxFlushCount value can not be negative or zero!',
  ],
  [
    'storage.snapshot.maxFlushCount',
    'storage.snapshot.maxFlushCount = 501',
    'MaxFlushCount value must not exceed 500!',
  ],
  [
    'a nameless database',
    'storage.properties = [{ path = "/tmp" }]',
    '[storage.properties] database name must be set.',
  ],
  [
    'a database option',
    'storage.properties = [{ name = a, blockSize = x }]',
    '[storage.properties] blockSize must be Integer type, actual: x.',
  ],
  ['the same database twice', 'storage.properties = [{ name = a }, { name = a }]', /^Duplicate key a/],
  ['an unknown cache', 'storage.cache.strategies { foo = x }', 'No enum constant org.tron.common.cache.CacheType.foo'],
  [
    'equal backup folders',
    'storage { db.engine = rocksdb, backup { enable = true, bak1path = b, bak2path = b } }',
    'bak1path and bak2path must be different.',
  ],
  [
    'a seed without port',
    'seed.node.ip.list = ["1.2.3.4"]',
    /^Invalid inetSocketAddress: "1.2.3.4", use ipv4:port or \[ipv6\]:port/,
  ],
  ['a short key', 'localwitness = ["abc"]', 'private key must be 64-bits hex string, actual: 3'],
  ['a trigger without topic', 'event.subscribe.topics = [{ triggerName = block, enable = true }]', /has no topic$/],
  [
    'a filter without member',
    'event.subscribe.filter { fromblock = "", toblock = "" }',
    "No configuration setting found for key 'event.subscribe.filter.contractAddress'",
  ],
  ['a wrong type', 'node.rpc.port = abc', 'x.conf: 2: node.rpc.port has type STRING rather than NUMBER'],
  ['maxMessageSize -1', 'node.http.maxMessageSize = -1', /^node.http.maxMessageSize must be non-negative, got: -1$/],
  [
    'a peer without its id',
    'tronicle.libp2p.peers = ["/ip4/10.0.0.1/tcp/1"]',
    /: Check tronicle.libp2p.peers, must have/,
  ],
  ['an invalid address', 'tronicle.libp2p.listen = ["10.0.0.1:18889"]', /: Check tronicle.libp2p.listen, must have/],
  ['a wrong retention', 'tronicle.history.retention = some', /: Check tronicle.history.retention, must be/],
  [
    'a sink without path',
    'tronicle.sinks = [{ name = a, type = ndjson, topics = [block] }]',
    /Check tronicle.sinks.path, is missing$/,
  ],
  [
    'an unknown trigger',
    'tronicle.sinks = [{ name = a, type = stdout, topics = [blocks] }]',
    /has the unknown trigger "blocks"/,
  ],
  [
    'a misspelt member of a sink',
    'tronicle.sinks = [{ name = a, type = stdout, topics = [block], finalty = applied }]',
    /Check tronicle.sinks.finalty, is unknown; did you mean finality\?$/,
  ],
  ...(
    [
      [
        'a misspelt member',
        'contractAdress = []',
        /filter.contractAdress, is unknown; did you mean contractAddress\?$/,
      ],
      ['no address', 'contractAddress = [zz]', /filter.contractAddress, has "zz", which is not a Base58Check address/],
      [
        'an address with a wrong checksum',
        'contractAddress = [TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u]',
        /which is not a Base58Check address/,
      ],
      ['a short topic', 'contractTopic = [ddf252ad]', /has "ddf252ad", which is not 32 bytes/],
      ['an empty range', 'fromBlock = 5, toBlock = 4', /is above toBlock/],
    ] as const
  ).map(
    ([name, filter, message]): Refused => [
      `${name} in the filter of a sink`,
      `tronicle.sinks = [{ name = a, type = stdout, topics = [block], filter { ${filter} } }]`,
      message,
    ],
  ),
  ['publishing without domain', 'node.dns { publish = true }', 'Check node.dns.dnsDomain, must not be null or empty'],
  [
    'a wrong provider',
    `node.dns { publish = true, ${publish.replace('aws,', 'foo,')} }`,
    'Check node.dns.serverType, must be aws or aliyun',
  ],
  [
    'a wrong tree key',
    `node.dns { publish = true, ${publish.replace(KEY, KEY.slice(1))} }`,
    'Check node.dns.dnsPrivate, must be 64 hex digits',
  ],
  [
    'a wrong static node',
    `node.dns { publish = true, ${publish}, staticNodes = ["1.2.3.4"] }`,
    'Check node.dns.staticNodes, entry "1.2.3.4" must be ip:port',
  ],
  [
    'a wrong tree',
    `node.dns { publish = true, ${publish}, treeUrls = ["tree://x"] }`,
    'Check node.dns.treeUrls, entry "tree://x" must be tree://pubkey@domain',
  ],
];
for (const [name, text, message] of refused)
  t.test(`rejects ${name}`, async (t) => {
    t.throws(() => load(text), { code: 'USAGE', message });
    try {
      load(text);
    } catch (error) {
      t.notMatch(String(error), /topsecret|[0-9a-f]{60}/, 'the error contains no secret');
    }
  });

t.test('requires the storage section', async (t) => {
  const root = readHoconText('net.type = mainnet', 'x.conf');
  t.throws(() => configFrom(root, {}), { message: "No configuration setting found for key 'storage'" });
});

t.test('reads the configuration for publishing a node tree', async (t) => {
  const { dns } = load(`node.dns { publish = true, ${publish}, maxMergeSize = 9, staticNodes = ["[::1]:7"] }`).config
    .node;
  t.match(dns.publish, {
    domain: 'nodes.example',
    server: 'aws',
    awsRegion: 'r',
    maxMergeSize: 5,
    changeThreshold: 0.1,
  });
  t.same(dns.publish?.staticNodes, [{ host: '::1', port: 7 }]);
});

t.test('warns about an unknown key and suggests the nearest known one', async (t) => {
  const { warnings } = load(
    'node.http.fulNodePort = 1\nVM { supportConstant = true }\nnode.p2pDisable = true\nstorage.cache.strategies { code = "x" }\nevent.subscribe.topics = [{ triggerName = block, enabel = 1, enable = true, topic = b }]',
  );
  t.same(warnings, [
    'x.conf: 2: unknown key node.http.fulNodePort, the nearest known one is node.http.fullNodePort',
    'x.conf: 4: node.p2pDisable is a key of other releases and has no effect',
    'x.conf: 3: unknown key VM.supportConstant, the nearest known one is vm.supportConstant',
    'x.conf: 6: unknown key event.subscribe.topics[0].enabel, the nearest known one is enable',
  ]);
});

t.test('names the release that dropped a key', async (t) => {
  const { warnings } = load(
    'node { disconnectNumberFactor = 0.4, maxConnectNumberFactor = 0.8 }\nprivate.key = ab\nstorage.db.version = 2',
  );
  t.same(warnings, [
    'x.conf: 4: storage.db.version is a key of java-tron up to 4.6.0, has no effect since',
    'x.conf: 2: node.disconnectNumberFactor is a key of java-tron up to 4.5.1, has no effect since',
    'x.conf: 2: node.maxConnectNumberFactor is a key of java-tron up to 4.5.1, has no effect since',
    'x.conf: 3: private.key is a key of java-tron up to 3.6.6, has no effect since',
  ]);
});

t.test('ignores a key that an earlier release dropped', async (t) => {
  for (const key of formerKeys.keys())
    t.notOk(
      knownKeys.some((known) => known.key === key),
      key,
    );
});

t.test('explains why a key is not needed', async (t) => {
  t.same(load('storage.merkleRoot { reward-vi = ab }').warnings, [
    'x.conf: 2: storage.merkleRoot.reward-vi has no effect here: rewards of old cycles are computed from the state directly, without a separate table',
  ]);
});

t.test('applies the precedence of the command line to each key', async (t) => {
  const argv =
    '--support-constant --lru-cache-size 9 --max-energy-limit-for-constant 7 --save-internaltx --storage-db-engine rocksdb --storage-db-synchronous TRUE --contract-parse-enable false';
  const { flags } = parseFlags([...argv.split(' '), '9.9.9.9:1']);
  const { config } = load(
    'vm.lruCacheSize = 10\nstorage.db { engine = LEVELDB, sync = false }\nseed.node.ip.list = ["1.1.1.1:1"]',
    flags,
  );
  t.match(config.vm, { supportConstant: true, lruCacheSize: 10, maxEnergyLimitForConstant: 7n, saveInternalTx: false });
  t.match(config.storage.db, { engine: 'rocksdb', sync: true });
  t.equal(config.contractParse, false);
  t.same(config.seedNodes, [{ host: '9.9.9.9', port: 1 }]);
  const limitOf = (release: string): bigint => {
    const { flags } = parseFlags(['--release', release, '--max-energy-limit-for-constant', '0']);
    return load('', flags).config.vm.maxEnergyLimitForConstant;
  };
  t.same(['4.7.2', '4.8.2'].map(limitOf), [0n, 3_000_000n], '4.8.2 also raises the value of the command line');
});

t.test('reads keys, address and shielded transactions of a witness', async (t) => {
  const text = `localwitness = ["0x${KEY}"]\nnode.fullNodeAllowShieldedTransaction = false`;
  t.equal(load(text).config.node.fullNodeAllowShieldedTransaction, false);
  const { config } = load(text, parseFlags(['-w']).flags);
  t.equal(config.node.fullNodeAllowShieldedTransaction, true);
  t.same(config.witness, {
    enabled: true,
    privateKeys: [KEY],
    accountAddress: '41928c9af0651632157ef27a2cf17ca72c575a4d21',
  });
  const wrong = load(`${text}\nlocalWitnessAccountAddress = T123`);
  t.same(wrong.warnings, ['The localWitnessAccountAddress format is incorrect, ignored']);
  const empty = load('localwitness = []', parseFlags(['-w']).flags);
  t.same(empty.warnings, ['This is a witness node, but localWitnesses is null']);
});

t.test('excludes the node itself from its peers', async (t) => {
  const { config } = load(
    'node { listen.port = 18888, discovery.external.ip = "5.5.5.5", active = ["5.5.5.5:18888", "127.0.0.1:18888", "127.0.0.1:18889"], passive = ["1.2.3.4:5"] }',
  );
  t.same(config.peers, {
    active: [{ host: '127.0.0.1', port: 18889 }],
    passive: [{ host: '1.2.3.4', port: 5 }],
  });
});

t.test('ignores an invalid cron expression for the stop time with a warning', async (t) => {
  const { config, warnings } = load('node.shutdown.BlockTime = "soon"');
  t.equal(config.node.shutdown.blockTime, undefined);
  t.match(warnings, [/^node.shutdown.BlockTime is ignored: /]);
});

t.test('reads the native queue, plugin, triggers and filter of events', async (t) => {
  const text =
    'event.subscribe { native { useNativeQueue = true, bindport = 7 }, path = " p ", topics = [{ triggerName = block, enable = "TRUE", topic = b, solidified = true }], filter { fromblock = earliest, toblock = "9", contractAddress = ["", a], contractTopic = [""] } }';
  const { eventSubscribe } = load(text).config;
  t.match(eventSubscribe, { native: { useNativeQueue: true, bindPort: 7 }, path: '' });
  t.same(eventSubscribe?.filter, { fromBlock: 0n, toBlock: 9n, contractAddresses: ['a'], contractTopics: [] });
  t.match(eventSubscribe?.topics[0], { triggerName: 'block', enable: true, solidified: true, redundancy: false });
  t.equal(load(text.replace('useNativeQueue = true', 'useNativeQueue = false')).config.eventSubscribe?.path, 'p');
  const bad = load(text.replace('earliest', 'x1'));
  t.equal(bad.config.eventSubscribe?.filter, undefined);
  t.match(bad.warnings, [/^invalid filter/]);
});

t.test('ignores incomplete rate limits, and uses the last one of a component', async (t) => {
  const item = (component: string, qps: number) =>
    `{ component = ${component}, strategy = QpsRateLimiterAdapter, paramString = "qps=${qps}" }`;
  const { http } = load(`rate.limiter.http = [${item('A', 1)}, { component = B }, ${item('A', 2)}]`).config.rateLimiter;
  t.same(http, [{ component: 'A', strategy: 'QpsRateLimiterAdapter', paramString: 'qps=2' }]);
});

t.test('uses the defaults of a command for absent keys', async (t) => {
  const defaults = { 'tronicle.http.enable': 'false', 'tronicle.history.retention': 'all' };
  const { config } = configFrom(readHoconText('storage {}, tronicle.history.retention = 500', 'x.conf'), { defaults });
  t.match(config.tronicle, { http: { enable: false }, history: { retention: 500 } });
});

t.test('reads the main net configuration without a warning', async (t) => {
  const { config, warnings } = loadConfig({ file: MAIN_NET_FILE });
  t.same(warnings, []);
  t.equal(config.node.fetchBlock.timeout, 500);
  t.equal(config.node.p2p.version, 11_111);
  t.equal(config.genesis.witnesses.length, 27);
  t.same(
    config.genesis.accounts.map(({ name, balance }) => [name, balance]),
    [
      ['Zion', 99_000_000_000_000_000n],
      ['Sun', 0n],
      ['Blackhole', -(2n ** 63n)],
    ],
  );
});

t.test('reports a missing file in one sentence', async (t) => {
  const name = join('no', 'such.conf');
  const { flags } = parseFlags(['-c', name]);
  t.throws(() => loadConfig({ file: name }), { code: 'USAGE' });
  t.throws(() => loadConfig({ flags }), { message: `Configuration path is required! No Such file ${name}` });
});

function load(text: string, flags?: Flags) {
  return configFrom(readHoconText(`storage {}\n${text}`, 'x.conf'), flags === undefined ? {} : { flags });
}
