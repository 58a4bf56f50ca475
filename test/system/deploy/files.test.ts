import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { copyOf, deploy, readDockerfile, root, wordsOf } from './support/image.js';

// Tests the files of deploy/. They must be readable, and files and ports that one of them mentions must exist in
// another.
interface ServiceFile {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image: string;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<'node' | 'kafka' | 'prometheus' | 'grafana', ServiceFile>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const yaml = <T>(path: string): T => parse(readFileSync(join(deploy, path), 'utf8')) as T;
const compose = yaml<Compose>('compose.yaml');
const { config, warnings } = loadConfig({ file: join(deploy, 'config.conf'), flags: NO_FLAGS });

/** Returns source and target of each mount of a service. */
const mounts = ({ volumes }: ServiceFile): { from: string; to: string }[] =>
  volumes.map((volume) => {
    const [from, to] = volume.split(':') as [string, string];
    return { from, to };
  });

/** Returns the ports of a service that are published on the host. */
const published = ({ ports }: ServiceFile): number[] =>
  ports.flatMap((port) => {
    const [first, last = first] = port.split(':').at(-1)!.split('-').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });

const { node } = config;
const { port: statusPort } = config.tronicle.http;
/** Ports of the servers in the configuration of the container, except that of the admin interface. */
const listens = [
  ...[node.http.fullNodePort, node.http.solidityPort, node.http.pbftPort],
  ...[node.rpc.port, node.rpc.solidityPort, node.rpc.pbftPort],
  ...[node.jsonrpc.httpFullNodePort, node.jsonrpc.httpSolidityPort, node.jsonrpc.httpPBFTPort],
  config.tronicle.http.port,
  // The addresses are multiaddrs: /ip4/<address>/tcp/<port>/ws
  ...config.tronicle.follow.listen.map((address) => Number(address.split('/')[4])),
];

t.test('defines every compose service with existing files', async (t) => {
  const { services, volumes } = compose;
  t.same(Object.keys(services).sort(), ['grafana', 'kafka', 'node', 'prometheus']);
  const named = Object.values(services).flatMap((service) => mounts(service).map(({ from }) => from));
  t.same(named.filter((from) => !from.startsWith('.')).sort(), Object.keys(volumes).sort());
  for (const from of named.filter((from) => from.startsWith('.'))) t.ok(existsSync(join(deploy, from)), from);
  for (const { ports } of Object.values(services)) {
    for (const port of ports) t.match(port, /^127\.0\.0\.1:(\d+(-\d+)?):\1$/, 'on the loopback address only');
  }
  const all = Object.values(services).flatMap(published);
  t.equal(new Set(all).size, all.length, 'no port is published twice');
  t.same(published(services.node).sort(), listens.toSorted(), 'the node publishes the ports at which it listens');
  const { context, dockerfile } = services.node.build!;
  t.equal(resolve(deploy, context), resolve(root));
  t.ok(existsSync(resolve(deploy, context, dockerfile)));
});

t.test('loads the container configuration', async (t) => {
  t.same(warnings, []);
  t.equal(config.tronicle.http.address, '0.0.0.0');
  t.same(config.tronicle.follow.listen, ['/ip4/0.0.0.0/tcp/18890/ws']);
  t.ok(config.node.metrics.prometheus.enable);
  const environment = compose.services.kafka.environment!;
  const [sink] = config.tronicle.sinks;
  t.equal(config.tronicle.sinks.length, 1);
  t.match(sink, { type: 'kafka', replication: 1 });
  const listeners = new Map(
    environment['KAFKA_ADVERTISED_LISTENERS']!.split(',').map((each) => each.split('://') as [string, string]),
  );
  t.same(
    sink?.type === 'kafka' && sink.bootstrap,
    [listeners.get('INSIDE')],
    'the node uses the host name of the broker',
  );
  t.equal(listeners.get('OUTSIDE'), `localhost:${published(compose.services.kafka)}`);
  for (const listener of environment['KAFKA_LISTENERS']!.split(',')) {
    const [name, address] = listener.split('://') as [string, string];
    t.match(environment['KAFKA_LISTENER_SECURITY_PROTOCOL_MAP'], `${name}:`);
    const others = [listeners.get(name), environment['KAFKA_CONTROLLER_QUORUM_VOTERS']].join();
    t.ok(others.includes(address), `${name} is known at ${address}`);
  }
});

t.test('builds the Dockerfile in stages, with an unprivileged user and existing files', async (t) => {
  const stages = readDockerfile();
  t.equal(stages.length, 2);
  const [build, image] = stages as [(typeof stages)[0], (typeof stages)[0]];
  const kept = readFileSync(join(deploy, 'Dockerfile.dockerignore'), 'utf8').split('\n');
  for (const { name, text } of [...build, ...image]) {
    if (name !== 'COPY' || text.startsWith('--from')) continue;
    for (const source of copyOf(text).sources) {
      t.ok(existsSync(join(root, source)), source);
      t.ok(
        kept.some((line) => line === `!${source}` || source.startsWith(`${line.slice(1)}/`)),
        `${source} is part of the build context`,
      );
    }
  }
  t.equal(image.findLast(({ name }) => name === 'USER')?.text, 'node');
  t.match(
    image.find(({ name }) => name === 'HEALTHCHECK')?.text,
    /--start-period=\d+s .*CMD \["node", "deploy\/healthcheck.mjs"\]$/,
  );
  const check = readFileSync(join(deploy, 'healthcheck.mjs'), 'utf8');
  t.match(check, `'http://127.0.0.1:${statusPort}/healthz'`, 'the image checks that the process answers');
  t.same(
    compose.services.node.healthcheck?.test,
    ['CMD', 'node', 'deploy/healthcheck.mjs', `http://127.0.0.1:${statusPort}/readyz`],
    'compose checks that the node is ready',
  );
  t.match(readFileSync(join(deploy, 'tronicle.service'), 'utf8'), ` http://127.0.0.1:${statusPort}/healthz\n`);
  const exposed = image
    .find(({ name }) => name === 'EXPOSE')!
    .text.split(' ')
    .map(Number);
  t.same(exposed.toSorted(), [...listens, config.node.metrics.prometheus.port].toSorted());
  const command = wordsOf(image, 'CMD');
  const targets = mounts(compose.services.node).map(({ to }) => to);
  t.same(targets, [command[command.indexOf('-d') + 1], `/app/${command[command.indexOf('-c') + 1]}`]);
});

interface Prometheus {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly metrics_path: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

t.test('scrapes the node in Prometheus, and queries Prometheus in Grafana', async (t) => {
  const { rule_files: rules, scrape_configs: jobs } = yaml<Prometheus>('prometheus/prometheus.yml');
  for (const file of rules) t.ok(existsSync(join(deploy, 'prometheus', file)), file);
  t.match(jobs, [
    {
      job_name: 'tronicle',
      metrics_path: '/metrics',
      static_configs: [{ targets: [`node:${config.node.metrics.prometheus.port}`] }],
    },
  ]);
  const { datasources } = yaml<{ readonly datasources: readonly { readonly uid: string; readonly url: string }[] }>(
    'grafana/provisioning/datasources/prometheus.yml',
  );
  t.equal(datasources[0]?.url, `http://prometheus:${published(compose.services.prometheus)}`);
  const { providers } = yaml<{ readonly providers: readonly { readonly options: { readonly path: string } }[] }>(
    'grafana/provisioning/dashboards/tronicle.yml',
  );
  const mount = mounts(compose.services.grafana).find(({ to }) => to === providers[0]?.options.path);
  const files = readdirSync(join(deploy, mount!.from));
  t.same(files, ['tronicle.json']);
  t.equal(
    compose.services.grafana.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'],
    `${mount!.to}/${files[0]}`,
  );
  const text = readFileSync(join(deploy, mount!.from, files[0]!), 'utf8');
  // If a user imports the dashboard, Grafana replaces the input DS_PROMETHEUS. A provisioned dashboard is not imported,
  // so it defines a variable of this name.
  const variable = `\${${'DS_PROMETHEUS'}}`;
  t.same(
    new Set([...text.matchAll(/"uid": "([^"]+)"/g)].map(([, uid]) => uid)),
    new Set(['tronicle', variable]),
    'the dashboard uses the data source that its user selects',
  );
  const dashboard = JSON.parse(text) as Record<string, unknown> & { templating: { list: readonly object[] } };
  t.match(dashboard['__inputs'], [{ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }]);
  t.match(dashboard.templating.list[0], { name: 'DS_PROMETHEUS', type: 'datasource', query: 'prometheus' });
});

interface Alert {
  readonly alert: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations: { readonly summary: string; readonly runbook_url?: string };
}

t.test('every alert has a severity and a section of the documentation', async (t) => {
  const { groups } = yaml<{ readonly groups: readonly { readonly rules: readonly Alert[] }[] }>(
    'prometheus/alerts.yml',
  );
  const alerts = groups.flatMap(({ rules }) => rules);
  const page = readFileSync(join(root, 'docs/alerts.md'), 'utf8');
  const sections = [...page.matchAll(/^## (\w+)\n\nSeverity: (\w+)\./gm)].map(([, name, severity]) => [name, severity]);
  t.same(
    alerts.map(({ alert, labels }) => [alert, labels?.severity]),
    sections,
  );
  for (const { alert, labels, annotations } of alerts) {
    t.ok(['critical', 'warning'].includes(labels?.severity ?? ''), alert);
    t.equal(annotations.runbook_url, `/alerts#${alert.toLowerCase()}`);
  }
});
