import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import t from 'tap';
import { parse } from 'yaml';
import { freePorts } from '../../support/free-port.js';
import { Broker } from '../../support/streams/broker.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { untilServed } from '../../support/until.js';
import { deploy, layOut, readDockerfile, root, wordsOf } from './support/image.js';
import { readQueries, selectorsOf } from './support/queries.js';

// Tests the container without a container runtime: the files of the image, its start command and health check, and a
// broker with the settings of compose.yaml. Also checks that the node exports all metrics of the dashboard and the
// alerts.
/** Metrics that Prometheus itself adds. */
const OWN = new Set(['up']);
/**
 * Matches the only problem that `promtool` may report: java-tron's names of metrics contain a colon, and dashboards for
 * java-tron use these names.
 */
const REFERENCE_NAME = /^tron:\w+ metric names should not contain ':'$/;
/** Labels that Prometheus adds to every series. */
const TARGET_LABELS = new Set(['job', 'instance']);

/** Returns the broker settings of compose.yaml, except for addresses, folders and roles. */
function brokerSettings(): string[] {
  const { services } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as {
    readonly services: { readonly kafka: { readonly environment: Readonly<Record<string, string>> } };
  };
  return Object.entries(services.kafka.environment)
    .filter(([name]) => /FACTOR|ISR|DELAY|AUTO|RETENTION/.test(name))
    .map(
      ([name, value]) =>
        `${name
          .replace(/^KAFKA_/, '')
          .replaceAll('_', '.')
          .toLowerCase()}=${value}`,
    );
}

/** Runs a program of the image. `ended` resolves at its end. */
function start(folder: string, [command, ...args]: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(command === 'node' ? process.execPath : command!, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Removes options of Node.js, because the test may run with loaders that the child must not inherit.
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', TRONICLE_LOG_LEVEL: 'error' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })));
  return { child, ended };
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

t.test('runs as in the image, exports every used metric and forwards', async (t) => {
  const settings = brokerSettings();
  t.equal(settings.length, 8);
  const broker = await Broker.start(settings);
  t.teardown(() => broker.close());
  const folder = temporaryFolder(t);
  layOut(folder);
  const first = await freePorts(11);
  const ports = Array.from({ length: 11 }, (_, at) => first + at);
  const [http, httpSolidity, httpPbft, rpc, rpcSolidity, rpcPbft, json, jsonSolidity, jsonPbft, page, exporter] = ports;
  const file = join(folder, 'deploy/config.conf');
  const text = readFileSync(file, 'utf8');
  t.match(text, 'bootstrap = "kafka:19092"');
  writeFileSync(
    file,
    `${text.replace('kafka:19092', broker.bootstrap)}
node.http { fullNodePort = ${http}, solidityPort = ${httpSolidity}, PBFTPort = ${httpPbft} }
node.rpc { port = ${rpc}, solidityPort = ${rpcSolidity}, PBFTPort = ${rpcPbft} }
node.jsonrpc { httpFullNodePort = ${json}, httpSolidityPort = ${jsonSolidity}, httpPBFTPort = ${jsonPbft} }
node.metrics.prometheus.port = ${exporter}
tronicle { http.port = ${page}, admin.enable = false }
`,
  );

  const image = readDockerfile().at(-1)!;
  const check = [...wordsOf(image, 'HEALTHCHECK'), `http://127.0.0.1:${page}/readyz`];
  const command = wordsOf(image, 'CMD').map((word) => (word === '/data' ? join(folder, 'data') : word));
  t.match(await start(folder, check).ended, { code: 1, output: /^unhealthy: / }, 'unhealthy before the start');
  const { child, ended } = start(folder, [...wordsOf(image, 'ENTRYPOINT'), ...command]);
  t.teardown(() => child.kill('SIGKILL'));
  const post = (port: number, path: string, body: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await untilServed('a block of this node', async () => {
    const reply = await post(http!, '/wallet/getnowblock', {});
    const { block_header: header } = (await reply.json()) as { block_header: { raw_data: { number?: number } } };
    return (header.raw_data.number ?? 0) >= 1;
  });
  t.same(await start(folder, check).ended, { code: 0, output: '' }, 'healthy');

  await untilServed('the proposals', async () => {
    const reply = await post(http!, '/wallet/getchainparameters', {});
    const { chainParameter } = (await reply.json()) as { chainParameter: { key: string; value?: number }[] };
    const value = (name: string): number => chainParameter.find(({ key }) => key === name)?.value ?? 0;
    return (
      value('getAllowCancelAllUnfreezeV2') === 1 &&
      value('getMaxDelegateLockPeriod') === 864_000 &&
      value('getMaintenanceTimeInterval') === 3_600_000
    );
  });

  await post(http!, '/wallet/nothing', {}); // The path does not exist.
  await post(json!, '/jsonrpc', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const client = new Client(`127.0.0.1:${rpc}`, credentials.createInsecure());
  await new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest('/protocol.Wallet/GetNowBlock', Buffer.from, Buffer.from, Buffer.alloc(0), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  client.close();
  const scrape = async (port: number): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
    t.match(reply.headers.get('content-type'), /^text\/plain/);
    return reply.text();
  };
  const metrics = await untilServed('forwarding', async () => {
    const found = await scrape(exporter!);
    return /^tronicle_sink_state\{sink="kafka",state="forwarding"\} 1$/m.test(found) && found;
  });
  const families = (of: string): string[] => [...of.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
  t.same(families(await scrape(page!)), families(metrics), 'the status page returns the same metrics');

  const found = lint(metrics);
  t.ok(found.length > 0, 'the linter reports the metric names of java-tron');
  t.same(
    found.filter((line) => !REFERENCE_NAME.test(line)),
    [],
    'promtool check metrics',
  );

  const selectors = new Map<string, Set<string>>();
  const queries = readQueries();
  for (const [title, expression] of queries) {
    const found = selectorsOf(expression);
    t.ok(found.length > 0, `${title} queries at least one metric`);
    for (const { metric, labels } of found) {
      selectors.set(metric, new Set([...(selectors.get(metric) ?? []), ...labels]));
    }
  }
  t.ok(queries.length >= 40 && selectors.size >= 20, `${selectors.size} metrics in ${queries.length} expressions`);
  for (const [metric, labels] of selectors) {
    if (OWN.has(metric)) continue;
    t.ok(isOffered(metrics, metric), `${metric} is exported`);
    const [sample] = samplesOf(metrics, metric);
    if (sample === undefined) continue;
    const missing = [...labels].filter((label) => !TARGET_LABELS.has(label) && !sample.includes(`${label}="`));
    t.same(missing, [], `${metric} has the labels of the query`);
  }
  for (const metric of [
    'tron:http_service_latency_seconds',
    'tron:jsonrpc_service_latency_seconds',
    'tron:grpc_service_latency_seconds',
  ])
    t.ok(samplesOf(metrics, `${metric}_count`).length > 0, `${metric} counts requests`);
  t.ok(
    samplesOf(metrics, 'tron:http_bytes_count').some((line) => line.includes('status="404"')),
    'errors count',
  );

  const consumer = join(root, 'deploy/consumers/typescript/consume.ts');
  const read = start(root, ['node', '--import', 'tsx', consumer, broker.bootstrap, 'tronicle.block', '2']);
  const { code, output } = await read.ended;
  t.equal(code, 0, output);
  t.match(output, /^([1-9]\d*) records in [123] partitions, 0 problems\n$/);

  const stopped = Date.now();
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.ok(Date.now() - stopped < 10_000, 'the node stops within 10 s after SIGTERM');
});

/**
 * Returns the problems that `promtool check metrics` would find. The program `promlint` uses the library of `promtool`.
 */
function lint(page: string): readonly string[] {
  const program = join(root, 'node_modules/.cache/tronicle-clients/promlint');
  return execFileSync(program, { input: page, encoding: 'utf8' }).split('\n').slice(0, -1);
}

/**
 * Returns true if a page of metrics has a metric of this name, or a histogram of which this name is a sample
 * (`_bucket`, `_count` or `_sum`).
 */
function isOffered(page: string, metric: string): boolean {
  if (new RegExp(`^# TYPE ${metric} `, 'm').test(page)) return true;
  const family = metric.replace(/_(bucket|count|sum)$/, '');
  return family !== metric && new RegExp(`^# TYPE ${family} histogram$`, 'm').test(page);
}

function samplesOf(page: string, metric: string): readonly string[] {
  return page.split('\n').filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
}
