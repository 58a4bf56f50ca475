import { availableParallelism } from 'node:os';
import t from 'tap';
import { parseFlags } from '../../../src/config/flags.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom, loadConfig, MAIN_NET_FILE } from '../../../src/config/load-config.js';

const KEY = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';

/** Loads a configuration. @param lines lines in addition to the mandatory section `storage` */
function load(release: string, lines = '', argv: readonly string[] = []) {
  const text = `storage { }\ntronicle.release = "${release}"\n${lines}\n`;
  return configFrom(readHoconText(text, 'x.conf'), { file: 'x.conf', flags: parseFlags(argv).flags });
}

t.test('selects the main net for an empty file since 4.8.2, and no network in 4.7.2', async (t) => {
  const { config, warnings } = load('4.8.2');
  const main = loadConfig({ file: MAIN_NET_FILE }).config;
  t.same(warnings, []);
  t.same(config.genesis, main.genesis);
  t.same(config.seedNodes, main.seedNodes);
  t.match(config.node, { listen: { port: 18888 }, p2p: { version: 11111 }, maxFastForwardNum: 4 });
  t.equal(config.node.fastForward.length, 2);
  t.equal(config.node.validateSignThreadNum, availableParallelism());
  const older = load('4.7.2').config;
  t.same([older.genesis.accounts, older.seedNodes], [[], []]);
  t.match(older.node, { listen: { port: 0 }, p2p: { version: 0 }, maxFastForwardNum: 3, fastForward: [] });
});

t.test('values of the file override the defaults of 4.8.2, and sections are merged', async (t) => {
  const lines = 'node { p2p.version = 5, fastForward = [] }\nseed.node.ip.list = []\ngenesis.block.timestamp = "7"';
  const { config } = load('4.8.2', lines);
  t.match(config.node, { listen: { port: 18888 }, p2p: { version: 5 }, fastForward: [] });
  t.same(config.seedNodes, []);
  t.equal(config.genesis.timestamp, 7);
  t.ok(config.genesis.accounts.some(({ name }) => name === 'Blackhole'));
});

t.test('warns about keys that 4.8.2 does not read, and ignores them', async (t) => {
  const lines = [
    'net.type = testnet',
    'storage.index.directory = "x"',
    'node.connection.timeout = 3',
    'node.channel.read.timeout = 3',
    'node.discovery { bind.ip = "1.2.3.4", public.home.node = true, ping.timeout = 1 }',
    'node { p2p.pingInterval = 5, receiveTcpMinDataLength = 5, tcpNettyWorkThreadNum = 5, udpNettyWorkThreadNum = 5 }',
    'node.metrics { storageEnable = true, influxdb { ip = "a", port = 3 } }',
    'actuator.whitelist = ["TransferActuator"]',
  ].join('\n');
  const { config, warnings } = load('4.8.2', lines);
  const named = warnings.map((line) => /^x\.conf: \d+: (\S+) has no effect in release 4\.8\.2$/.exec(line)?.[1]);
  t.same(named.sort(), [
    'actuator.whitelist',
    'net.type',
    'node.channel.read.timeout',
    'node.connection.timeout',
    'node.discovery.bind.ip',
    'node.discovery.ping.timeout',
    'node.discovery.public.home.node',
    'node.metrics.influxdb',
    'node.metrics.storageEnable',
    'node.p2p.pingInterval',
    'node.receiveTcpMinDataLength',
    'node.tcpNettyWorkThreadNum',
    'node.udpNettyWorkThreadNum',
    'storage.index',
  ]);
  t.equal(config.addressPrefix, 0x41);
  t.same([config.net.type, config.node.metrics.storageEnable, config.actuatorWhitelist], ['mainnet', false, []]);
  t.same(load('4.7.2', lines).warnings, [], 'release 4.7.2 reads the keys');
  t.equal(load('4.7.2', lines).config.addressPrefix, 0xa0);
  t.same(load('4.7.2', 'node.rpc.enable = false').warnings, [
    'x.conf: 3: node.rpc.enable has no effect in release 4.7.2',
  ]);
});

// Reference: Args.setParam of 4.7.2 reads 32 bits, BlockConfig of 4.8.2 reads 64 bits.
t.test('reads intervals of more than 24 days only since 4.8.2', async (t) => {
  for (const key of ['proposalExpireTime', 'maintenanceTimeInterval'] as const) {
    const line = `block.${key} = 2592000000`;
    t.equal(load('4.8.2', line).config.block[key], 2_592_000_000);
    t.throws(() => load('4.7.2', line), { message: /out-of-range value 2592000000 rather than 32-bit integer/ });
  }
});

// Reference: Args of 4.7.2 has no such keys, and its broadcasts have no code BLOCK_UNSOLIDIFIED.
t.test('limits the unsolidified blocks only since 4.8.2', async (t) => {
  const lines = 'node.unsolidifiedBlockCheck = true, node.maxUnsolidifiedBlocks = 5';
  t.match(load('4.8.2', lines).config.node, { unsolidifiedBlockCheck: true, maxUnsolidifiedBlocks: 5 });
  const { config, warnings } = load('4.7.2', lines);
  t.match(config.node, { unsolidifiedBlockCheck: false, maxUnsolidifiedBlocks: 54 });
  t.match(warnings, [/unsolidifiedBlockCheck has no effect in release 4\.7\.2/, /maxUnsolidifiedBlocks has no effect/]);
});

// Reference: RateLimiterConfig.fromConfig of 4.8.2, NodeConfig.normalizeNonStandardKeys of 4.8.2.
t.test('since 4.8.2, requires each member of a rate limit, and reads "null" as no address', async (t) => {
  const limit = 'rate.limiter.http = [{ component = "GetNowBlockServlet", strategy = "QpsRateLimiterAdapter" }]';
  const message = "x.conf: 3: paramString: No setting at 'paramString', expecting: string";
  t.throws(() => load('4.8.2', limit), { message });
  t.match(load('4.7.2', limit).warnings, [/an element of rate\.limiter\.http has no paramString/]);
  const address = 'node.discovery.external.ip = "NULL"';
  t.equal(load('4.8.2', address).config.node.discovery.external.ip, undefined);
  t.equal(load('4.7.2', address).config.node.discovery.external.ip, 'NULL');
});

// Reference: NetUtil.validNode of libp2p. Its nodes close a connection whose HELLO contains another address.
t.test('warns of an announced address that peers reject', async (t) => {
  const warningsOf = (ip: string): readonly string[] =>
    load('4.8.2', `node.discovery.external.ip = "${ip}"`).warnings.filter((text) => text.includes('external.ip'));
  for (const wrong of ['localhost', 'node.example.com', '0.0.0.0', '::1'])
    t.match(warningsOf(wrong), [`node.discovery.external.ip = ${wrong} is no IPv4 address of a node`]);
  for (const right of ['203.0.113.7', ' 203.0.113.7 ', '', 'null']) t.same(warningsOf(right), []);
});

// Reference: LocalWitnesses.validate of 4.7.2 accepts blank keys.
t.test('ignores blank witness keys of a node that is no witness', async (t) => {
  const lines = `localwitness = ["", ${KEY}]`;
  t.same(load('4.7.2', lines).config.witness.privateKeys, [KEY]);
  t.throws(() => load('4.7.2', lines, ['--witness']), { message: /must be 64-bits hex string, actual: 0/ });
});

const LONG_US = '9223372036854775';
const refused: readonly (readonly [row: string, lines: string, text: string])[] = [
  ['I7', 'node.rpc.maxMessageSize = -1', 'node.rpc.maxMessageSize must be non-negative, got: -1'],
  ['I7', 'node.http.maxMessageSize = -2', 'node.http.maxMessageSize must be non-negative, got: -2'],
  ['I7', 'node.jsonrpc.maxMessageSize = -3', 'node.jsonrpc.maxMessageSize must be non-negative, got: -3'],
  [
    'I8',
    'vm.constantCallTimeoutMs = -1',
    `vm.constantCallTimeoutMs must be >= 0 and <= ${LONG_US} to fit VM deadline conversion, got -1`,
  ],
  [
    'I8',
    'vm.constantCallTimeoutMs = 9223372036854776',
    `vm.constantCallTimeoutMs must be >= 0 and <= ${LONG_US} to fit VM deadline conversion, got 9223372036854776`,
  ],
  ['I9', 'genesis.block.assets = []', 'Account[Blackhole] is not configured.'],
];

t.test('rejects values with which 4.8.2 does not start', async (t) => {
  for (const [row, lines, text] of refused) t.throws(() => load('4.8.2', lines), { message: text }, `${row} ${lines}`);
  for (const lines of [
    'vm.constantCallTimeoutMs = 0',
    `vm.constantCallTimeoutMs = ${LONG_US}`,
    'node.rpc.maxMessageSize = 0',
  ])
    t.ok(load('4.8.2', lines), lines);
  t.throws(() => load('4.8.2', 'node.shutdown.BlockTime = "soon"'), { code: 'USAGE' }, 'an invalid stop time');
  t.ok(load('4.8.2', 'node.shutdown.BlockTime = ""'));
  t.match(load('4.7.2', 'node.shutdown.BlockTime = "soon"').warnings, [/node.shutdown.BlockTime is ignored/]);
  t.equal(
    load('4.8.2', 'node.jsonrpc.maxBlockRange = -1').config.node.jsonrpc.maxBlockRange,
    0,
    'a negative limit means no limit',
  );
  t.ok(load('4.7.2', 'genesis.block { timestamp = "0", parentHash = "00", assets = [] }'));
});

t.test('reports errors of witness keys with the text of each release', async (t) => {
  const wrong: readonly (readonly [text: string, older: RegExp, later: string])[] = [
    ['abc', /64-bits hex string, actual: 3$/, 'private key must be 64 hex string, actual: 3'],
    ['0x', /64-bits hex string, actual: 0$/, 'private key must be 64 hex string, actual: 0'],
    ['z'.repeat(64), /^Check localwitness/, 'private key must be hex string'],
  ];
  for (const [text, older, later] of wrong) {
    const lines = `localwitness = ["${text}"]`;
    t.throws(() => load('4.7.2', lines, ['-w']), older, text);
    t.throws(() => load('4.8.2', lines, ['-w']), { message: later }, text);
    t.throws(() => load('4.7.2', lines), older, `${text} without -w`);
    t.same(load('4.8.2', lines).config.witness, { enabled: false, privateKeys: [] }, `${text} without -w`);
  }
  t.throws(() => load('4.8.2', '', ['-w']), { message: 'This is a witness node, but localWitnesses is null' });
  const bad = `localWitnessAccountAddress = "Tx"\nlocalwitness = ["${KEY}"]`;
  t.throws(() => load('4.8.2', bad, ['-w']), { message: 'LocalWitnessAccountAddress format from config is incorrect' });
  t.match(load('4.7.2', bad, ['-w']).warnings, ['The localWitnessAccountAddress format is incorrect, ignored']);
  const two = `localWitnessAccountAddress = "Tx"\nlocalwitness = ["${KEY}", "${KEY}"]`;
  t.throws(() => load('4.8.2', two, ['-w']), {
    message: 'LocalWitnessAccountAddress can only be set when there is only one private key',
  });
  t.throws(() => load('4.8.2', '', ['-w', '-p', KEY, '--witness-address', 'Tx']), {
    message: 'LocalWitnessAccountAddress format from cmd is incorrect',
  });
  t.equal(load('4.8.2', `localwitness = ["${KEY}"]`, ['-w']).config.witness.privateKeys.length, 1);
});

t.test('since 4.8.2, prefers flags to their keys, and names the key to use', async (t) => {
  const argv = ['--max-connect-number', '7', '--long-running-time', '11', '--save-internaltx'];
  const lines = 'vm.longRunningTime = 12\nnode.maxHttpConnectNumber = 50';
  const older = load('4.7.2', lines, argv);
  t.match(older.config, { vm: { longRunningTime: 12, saveInternalTx: false }, node: { maxHttpConnectNumber: 50 } });
  t.same(older.warnings, []);
  const later = load('4.8.2', lines, argv);
  t.match(later.config, { vm: { longRunningTime: 11, saveInternalTx: true }, node: { maxHttpConnectNumber: 7 } });
  const text = (flag: string, key: string): string =>
    `CLI option '${flag}' is deprecated and will be removed in a future release. Please use config key '${key}' instead.`;
  t.same(later.warnings, [
    text('--long-running-time', 'vm.longRunningTime'),
    text('--save-internaltx', 'vm.saveInternalTx'),
    text('--max-connect-number', 'node.maxHttpConnectNumber'),
  ]);
  t.match(load('4.8.2', '', ['1.2.3.4:5']).warnings, [/^Positional seed-node arguments are deprecated\./]);
  t.match(load('4.8.2', '', ['--save-cancel-all-unfreeze-v2-details']).warnings, [
    /^Configuring \[vm.saveCancelAllUnfreezeV2Details\] won't work as vm.saveInternalTx or/,
    /^CLI option '--save-cancel-all-unfreeze-v2-details'/,
  ]);
});

// Observed on both java-tron releases on 2026-11-26, with the configuration of a recording and one more line.
// Reference: Args.setParam.
t.test('ignores settings of 4.8.2 in 4.7.2', async (t) => {
  for (const line of [
    'node.rpc.maxRstStream = []',
    'node.rpc.reflectionService = maybe',
    'node.http.PBFTEnable = 7',
    'event.subscribe.version = []',
    'vm.saveCancelAllUnfreezeV2Details = []',
    'vm.constantCallTimeoutMs = x',
    'committee.allowTvmCancun = x',
  ]) {
    const [key = ''] = line.split(' ');
    t.same(load('4.7.2', line).warnings, [`x.conf: 3: ${key} has no effect in release 4.7.2`], line);
    t.throws(() => load('4.8.2', line), { code: 'USAGE' }, line);
  }
});

t.test('validates storage.dbSettings for any engine since 4.8.2', async (t) => {
  for (const [line, text] of [
    ['storage.dbSettings = 5', 'storage.dbSettings has type NUMBER rather than OBJECT'],
    ['storage.dbSettings.levelNumber = [1]', 'storage.dbSettings.levelNumber has type LIST rather than NUMBER'],
    ['storage.dbSettings.maxOpenFiles = x', 'storage.dbSettings.maxOpenFiles has type STRING rather than NUMBER'],
  ] as const) {
    t.throws(() => load('4.8.2', line), { message: `x.conf: 3: ${text}` });
    t.doesNotThrow(() => load('4.7.2', line), line);
  }
  t.doesNotThrow(() => load('4.8.2', 'storage.dbSettings.maxBytesForLevelMultiplier = 1e400'));
  t.doesNotThrow(() => load('4.8.2', 'storage.dbSettings.maxBytesForLevelBase = 3000000000'));
});

t.test('rejects a flag of 4.8.2 as an unknown option in 4.7.2', async (t) => {
  const name = '--save-cancel-all-unfreeze-v2-details';
  const { flags } = parseFlags([name]);
  const given = (release: string) => () =>
    configFrom(readHoconText(`storage { }\ntronicle.release = "${release}"`, 'x.conf'), { flags });
  t.throws(given('4.7.2'), { message: new RegExp(`^Unknown option: ${name} `) });
  t.doesNotThrow(given('4.8.2'));
});

t.test(
  'exits with code 255 for an unreadable keystore; an empty key list disables the keystore in 4.7.2',
  async (t) => {
    const { flags } = parseFlags(['--witness', '--password', 'x']);
    const lines = 'localwitness = []\nlocalwitnesskeystore = [nothing.json]';
    const given = (release: string, text: string) => () =>
      configFrom(readHoconText(`storage { }\ntronicle.release = "${release}"\n${text}`, 'x.conf'), { flags });
    t.throws(given('4.8.2', lines), { exitCode: 255, message: /nothing\.json/ });
    t.throws(given('4.7.2', 'localwitnesskeystore = [nothing.json]'), { exitCode: 255, message: /nothing\.json/ });
    t.same(given('4.7.2', lines)().config.witness.privateKeys, []);
  },
);
