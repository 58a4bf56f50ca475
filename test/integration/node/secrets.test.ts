import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { writeNodeConfig } from '../../reliability/support/running-node.js';
import { freePort } from '../../support/free-port.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { outcomeOf, runTronicle, startTronicle } from '../../support/tronicle.js';
import { untilServed } from '../../support/until.js';

/** Private key of the witness in `config/devnet.conf`. */
const WITNESS_KEY = 'c86f3ae9ecae29456d2a3b14179393aab452cfd354452e108c75516c9f2df565';
const KEY = '6e1d5f0b9a4c37e28d16f4a05b73c9e8125fa7d3409be6c81752ad94f60b3ce7';
const PASSWORD = 'Quokka7-lantern-Obsidian';
const OTHER_PASSWORD = 'Tamarin9-copper-Violin';
const TOKEN = 'Walnut3-glacier-Harbour-token';
const KAFKA_PASSWORD = 'Ferret5-meadow-Compass';
const REGISTRY_PASSWORD = 'Badger8-thistle-Pendulum';
const DATABASE_PASSWORD = 'Magpie2-saffron-Anchor';
const EVENT_PASSWORD = 'Otter6-juniper-Beacon';
const DNS_SECRET = 'Heron4-cobalt-Tundra';
const SECRETS = [
  WITNESS_KEY,
  KEY,
  PASSWORD,
  OTHER_PASSWORD,
  TOKEN,
  KAFKA_PASSWORD,
  REGISTRY_PASSWORD,
  DATABASE_PASSWORD,
  EVENT_PASSWORD,
  DNS_SECRET,
];
const SLOT_MS = 3000;
/** Time in ms after which a node that has accepted its configuration is killed. */
const START_MS = 4000;
/** Number of characters of a secret that must not appear. A shortened secret is also a leak. */
const PART = 10;

/** Returns the secrets of which a text contains a part. Percent encoding and letter case do not hide a secret. */
function leaksIn(text: string): readonly string[] {
  const readable = text.toLowerCase();
  return SECRETS.filter((secret) => {
    const parts = Array.from({ length: secret.length - PART + 1 }, (_, at) => secret.slice(at, at + PART));
    return parts.some((part) => readable.includes(part.toLowerCase()));
  });
}

const SASL = `sasl { mechanism = plain, username = u, password = "${KAFKA_PASSWORD}" }`;
const KAFKA = `name = queue, type = kafka, bootstrap = "127.0.0.1:1", prefix = p, topics = [ block ], ${SASL}`;
const POSTGRES = 'name = tables, type = postgres, topics = [ block ]';
const DNS = `node.dns { publish = true, dnsDomain = "nodes.example", dnsPrivate = "${KEY}", serverType = aws,
  accessKeyId = id, accessKeySecret = "${DNS_SECRET}", awsRegion = "r", awsHostZoneId = "z" }`;

t.test('a node with a secret in each key prints and serves none of them', async (t) => {
  const folder = temporaryFolder(t);
  const admin = await freePort();
  const registry = `schemaRegistry = "http://user:${REGISTRY_PASSWORD}@127.0.0.1:1"`;
  const setup = await writeNodeConfig(
    folder,
    Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOT_MS,
    `tronicle.admin { enable = true, port = ${admin}, token = "${TOKEN}" }
event.subscribe.dbconfig = "events|user|${EVENT_PASSWORD}"
tronicle.sinks = [
  { ${KAFKA}, ${registry} }
  { ${POSTGRES}, url = "postgres://user:${DATABASE_PASSWORD}@127.0.0.1:1/db" }
]`,
  );
  const common = ['-c', setup.file, '-d', setup.data];
  const options = ['--witness', '--p2p-disable', 'true', '--private-key', WITNESS_KEY, '--log-level', 'trace'];
  const child = startTronicle(['run', ...common, ...options]);
  t.teardown(() => child.kill('SIGKILL'));
  const ended = outcomeOf(child);
  const { http, graphql, jsonRpc, metrics } = setup.ports;
  const served: string[] = [];
  const read = async (url: string, init?: RequestInit): Promise<string> => {
    // The servers of the node do not start at the same time.
    const reply = await untilServed(url, () => fetch(url, init));
    const text = `${[...reply.headers].join()} ${await reply.text()}`;
    served.push(`${url}: ${text}`);
    return text;
  };
  const post = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await untilServed('HTTP', async () => (await fetch(`http://127.0.0.1:${http}/wallet/getnowblock`)).ok);
  const sinksUrl = `http://127.0.0.1:${admin}/sinks`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const sinks = await untilServed('the errors of both sinks', async () => {
    const list = await (await fetch(sinksUrl, { headers })).text();
    return (list.match(/ECONNREFUSED/g)?.length ?? 0) >= 2 && list;
  });
  served.push(`sinks: ${sinks}`);
  t.match(sinks, /queue.*tables/);
  await read(sinksUrl, { headers: { authorization: `Bearer ${TOKEN}x` } });
  const sasl = { mechanism: 'x', username: 'u', password: KAFKA_PASSWORD };
  const bad = JSON.stringify({ name: 'other', type: 'kafka', bootstrap: 1, sasl });
  for (const body of [bad, `${bad}]`, bad.slice(0, -1)]) await read(sinksUrl, { method: 'POST', body, headers });
  for (const path of ['getnodeinfo', 'listnodes', 'monitor/getstatsinfo'])
    await read(`http://127.0.0.1:${http}/wallet/${path}`);
  for (const path of ['', 'metrics']) await read(`http://127.0.0.1:${metrics}/${path}`);
  for (const path of ['', 'status', 'v1', 'openapi.json']) await read(`http://127.0.0.1:${graphql}/${path}`);
  await read(
    `http://127.0.0.1:${graphql}/graphql`,
    post('{"query":"{ status { release } sinks { name lastError } x"}'),
  );
  await read(`http://127.0.0.1:${jsonRpc}/jsonrpc`, post('{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}'));
  for (const args of [
    ['doctor', ...common],
    ['doctor', ...common, '--json'],
    ['status', '-d', setup.data],
    ['stream', 'list', ...common],
  ]) {
    const { stdout, stderr } = await runTronicle(args);
    served.push(`${args[0]}: ${stdout} ${stderr}`);
  }
  child.kill('SIGTERM');
  const { stdout, stderr } = await ended;
  t.match(stdout + stderr, /sink/, 'the log has lines about the sinks');
  served.push(`output: ${stdout} ${stderr}`);
  for (const text of served) t.same(leaksIn(text), [], text.slice(0, text.indexOf(' ')));
  t.ok(served.length > 15);
});

/** Lines of a configuration with an error in or after a secret. */
const malformed: readonly (readonly [name: string, text: string])[] = [
  ['a key with one letter too many', `localwitness = [ ${KEY}a ]`],
  ['a key that is too short', `localwitness = [ ${KEY.slice(1)} ]`],
  ['a key with another letter', `localwitness = [ "${KEY.slice(0, -1)}g" ]`],
  ['a key in an object', `localwitness = [ { key = "${KEY}" } ]`],
  ['a key as an object', `localwitness { "${KEY}" = 1 }`],
  ['a key without a list', `localwitness = "${KEY}"`],
  ['a list without an end', `localwitness = [ "${KEY}"`],
  ['a text without an end', `localwitness = [ "${KEY} ]`],
  ['a key as a path', `localwitness.${KEY} = 1`],
  ['a misspelt name', `localwitnes = [ ${KEY} ]`],
  ['a keystore with the name of a key', `localwitnesskeystore = [ "${KEY}" ]`],
  ['a token in a list', `tronicle.admin.token = [ "${TOKEN}", {} ]`],
  ['a token in an object', `tronicle.admin.token { value = "${TOKEN}" }`],
  ['a token after a quote', `tronicle.admin.token = "${TOKEN}" } "x`],
  ['a token without quotes', `tronicle.admin.token = ${TOKEN}:"`],
  ['an unknown member of sasl', `tronicle.sinks = [ { ${KAFKA.replace('username', 'user')} } ]`],
  ['an unknown mechanism', `tronicle.sinks = [ { ${KAFKA.replace('= plain', '= none')} } ]`],
  [
    'a password in an object',
    `tronicle.sinks = [ { ${KAFKA.replace(/password = (.*) }/, 'password { is = $1 } }')} } ]`,
  ],
  ['a password as sasl', `tronicle.sinks = [ { ${KAFKA.replace(/sasl .*/, `sasl = "${KAFKA_PASSWORD}"`)} } ]`],
  ['a sink as a text', `tronicle.sinks = [ "postgres://user:${DATABASE_PASSWORD}@127.0.0.1/db" ]`],
  [
    'a URL of another scheme',
    `tronicle.sinks = [ { ${POSTGRES}, url = "mysql://user:${DATABASE_PASSWORD}@127.0.0.1/db" } ]`,
  ],
  ['a URL without a host', `tronicle.sinks = [ { ${POSTGRES}, url = "postgres://user:${DATABASE_PASSWORD}@/" } ]`],
  [
    'a URL with an invalid port',
    `tronicle.sinks = [ { ${POSTGRES}, url = "postgres://user:${DATABASE_PASSWORD}@h:x/db" } ]`,
  ],
  [
    'a URL with an invalid escape',
    `tronicle.sinks = [ { ${POSTGRES}, url = "postgres://user:${DATABASE_PASSWORD}%zz@h/db" } ]`,
  ],
  [
    'a URL in a list',
    `tronicle.sinks = [ { ${POSTGRES}, url = [ "postgres://user:${DATABASE_PASSWORD}@h/db", {} ] } ]`,
  ],
  [
    'a URL as a name',
    `tronicle.sinks = [ { ${POSTGRES.replace('tables', `"postgres://u:${DATABASE_PASSWORD}@h"`)} } ]`,
  ],
  ['a broker with a password', `tronicle.sinks = [ { ${KAFKA.replace('127', `u:${KAFKA_PASSWORD}@127`)} } ]`],
  [
    'a registry of another scheme',
    `tronicle.sinks = [ { ${KAFKA}, schemaRegistry = "ftp://user:${REGISTRY_PASSWORD}@h" } ]`,
  ],
  ['a registry without a scheme', `tronicle.sinks = [ { ${KAFKA}, schemaRegistry = "user:${REGISTRY_PASSWORD}@h" } ]`],
  [
    'a registry with an invalid port',
    `tronicle.sinks = [ { ${KAFKA}, schemaRegistry = "http://u:${REGISTRY_PASSWORD}@h:x" } ]`,
  ],
  ['a replica of another scheme', `tronicle.source { url = "http://user:${KAFKA_PASSWORD}@h/p" }`],
  ['a replica with a password in the URL', `tronicle.source = "kafka://user:${KAFKA_PASSWORD}@h:1/p"`],
  [
    'a replica with an unknown mechanism',
    `tronicle.source { url = "kafka://h:1/p", ${SASL.replace('plain', 'none')} }`,
  ],
  ['an invalid submit URL', `tronicle.source { url = "kafka://h:1/p", submit = "http://u:${DATABASE_PASSWORD}@h:x" }`],
  ['an invalid DNS key', DNS.replace(KEY, `${KEY.slice(0, -1)}g`)],
  ['an unknown DNS server', DNS.replace('= aws', '= other')],
  ['a DNS secret in an object', DNS.replace(`"${DNS_SECRET}"`, `{ x = "${DNS_SECRET}" }`)],
  ['a DNS secret in a list', DNS.replace(`"${DNS_SECRET}"`, `[ "${DNS_SECRET}" ]`)],
  ['an event configuration in an object', `event.subscribe.dbconfig { x = "db|user|${EVENT_PASSWORD}" }`],
  ['an event configuration without an end', `event.subscribe.dbconfig = "db|user|${EVENT_PASSWORD}`],
];

t.test('no error about a malformed value contains a secret', async (t) => {
  const folder = temporaryFolder(t);
  const setup = await writeNodeConfig(folder, Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOT_MS);
  const config = readFileSync(setup.file, 'utf8');
  let refused = 0;
  for (const [name, text] of malformed) {
    writeFileSync(setup.file, `${config}\n${text}\n`);
    const args = ['run', '-c', setup.file, '-d', setup.data, '--witness', '--p2p-disable', 'true'];
    const { code, stdout, stderr } = await runTronicle(args, { killAfterMs: START_MS });
    if (code !== null) refused++;
    t.same(leaksIn(stdout + stderr), [], name);
  }
  t.ok(refused >= 0.8 * malformed.length, `${refused} of ${malformed.length} values are refused`);
});

t.test('no error about flags, key files and passwords contains a secret', async (t) => {
  const folder = temporaryFolder(t);
  const setup = await writeNodeConfig(folder, Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOT_MS);
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const keystore = join(folder, 'keystore');
  const [key, password] = [fileOf('key', `${KEY}\n`), fileOf('password', `${PASSWORD}\n`)];
  const imported = await runTronicle([
    'keystore',
    'import',
    '--keystore-dir',
    keystore,
    '--key-file',
    key,
    '--password-file',
    password,
    '--json',
  ]);
  t.equal(imported.code, 0, imported.stderr);
  t.same(leaksIn(imported.stdout + imported.stderr), []);
  const [stored = ''] = readdirSync(keystore);
  const store = readFileSync(join(keystore, stored), 'utf8');
  const damaged = fileOf('damaged.json', store.replace('"ciphertext":"', `"ciphertext":"${KEY}`));
  const textFile = fileOf('text.json', `${KEY} ${PASSWORD}`);
  const run = ['run', '-c', setup.file, '-d', setup.data, '--witness', '--p2p-disable', 'true'];
  const text = readFileSync(setup.file, 'utf8').replace(/^localwitness = .*/m, '');
  const withKeystore = (file: string): string =>
    fileOf(`${basename(file)}.conf`, `${text}\nlocalwitnesskeystore = [ "${file}" ]\n`);
  for (const [name, args] of [
    ['a long key', [...run, '--private-key', `${KEY}00`]],
    ['a key with another letter', [...run, '--private-key', `${KEY.slice(1)}x`]],
    ['a misspelt flag', [...run, `--privatekey=${KEY}`]],
    ['a key file with a long key', [...run, '--private-key-file', fileOf('long', `${KEY}00`)]],
    ['a key as the name of the file', [...run, '--private-key-file', join(folder, 'missing'), '--password', PASSWORD]],
    ['a wrong password', [...run, '-c', withKeystore(join(keystore, stored)), '--password', OTHER_PASSWORD]],
    ['a damaged keystore', [...run, '-c', withKeystore(damaged), '--password', PASSWORD]],
    ['a keystore that is no JSON', [...run, '-c', withKeystore(textFile), '--password', PASSWORD]],
    [
      'a second import',
      ['keystore', 'import', '--keystore-dir', keystore, '--key-file', textFile, '--password-file', password],
    ],
    [
      'a short password',
      ['keystore', 'import', '--keystore-dir', keystore, '--key-file', key, '--password-file', fileOf('short', 'Ab1')],
    ],
  ] as const) {
    const { code, stdout, stderr } = await runTronicle(args, { killAfterMs: START_MS });
    t.not(code, 0, `${name}: ends with an error`);
    t.same(leaksIn(stdout + stderr), [], name);
  }
});
