import { UsageError } from '../../primitives/errors.js';
import { type Endpoint, parseEndpoint } from '../endpoint.js';
import { asBoolean, asDouble, asInt32, asText, asTexts, type HoconValue, valueAt } from '../hocon/hocon-value.js';
import { type ConfigKey, type Described, described, type RowTree, row } from '../row.js';
import type { ConfigSource } from '../source.js';

/** Settings of the publication of the node's own DNS tree. They contain secrets, which must never be printed. */
export interface DnsPublish {
  readonly domain: string;
  readonly changeThreshold: number;
  readonly maxMergeSize: number;
  readonly privateKey: string;
  readonly knownUrls: readonly string[];
  readonly staticNodes: readonly Endpoint[];
  readonly server: 'aws' | 'aliyun';
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly aliyunEndpoint?: string;
  readonly awsRegion?: string;
  readonly awsHostZoneId?: string;
}

/** Section `node.dns`. */
export const dnsRows = { treeUrls: treeUrls(), publish: publish() } as const satisfies RowTree;

const TREE_URL = /^tree:\/\/[A-Za-z2-7]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.?$/;
const PRIVATE_KEY = /^[0-9a-fA-F]{64}$/;

/**
 * Returns the key of the DNS tree URLs. If the node publishes a DNS tree, the reader rejects an invalid URL. Otherwise,
 * such a URL causes only a warning.
 */
function treeUrls(): ConfigKey<readonly string[]> {
  return row<readonly string[]>(
    'node.dns.treeUrls',
    'string[] tree://pubkey@domain',
    [],
    'URLs of DNS trees from which the node reads addresses of peers',
    checkedTreeUrls,
  );
}

/**
 * Returns `node.dns.publish` and the keys below it. The keys below it are read only if `node.dns.publish` is true. The
 * reader then rejects invalid and missing members.
 */
function publish(): ConfigKey<DnsPublish | undefined> {
  const configKey = row<DnsPublish | undefined>(
    'node.dns.publish',
    'bool',
    undefined,
    'true: the node publishes a DNS tree, once with staticNodes or every hour with the discovered nodes. The keys below are read only if this key is true',
    (value, key, source) => (asBoolean(value, key) ? readPublish(source) : undefined),
  );
  return { ...configKey, fallback: 'false', also: members() };
}

/**
 * Reads the settings of DNS publication. Also checks values that release 4.7.2 does not check. Reference:
 * Args.loadDnsPublishParameters.
 */
function readPublish(source: ConfigSource): DnsPublish {
  const domain = required(source, 'dnsDomain');
  const changeThreshold = readChangeThreshold(source);
  const maxMergeSize = readMaxMergeSize(source);
  const privateKey = required(source, 'dnsPrivate');
  if (!PRIVATE_KEY.test(privateKey)) throw new UsageError('Check node.dns.dnsPrivate, must be 64 hex digits');
  const server = required(source, 'serverType').toLowerCase();
  if (server !== 'aws' && server !== 'aliyun') throw new UsageError('Check node.dns.serverType, must be aws or aliyun');
  const hostZone = server === 'aws' ? member(source, 'awsHostZoneId') : undefined;
  return {
    domain,
    changeThreshold,
    maxMergeSize,
    privateKey,
    knownUrls: list(source, 'knownUrls', (key, entries) => entries.map((entry) => checkTreeUrl(entry, key))),
    staticNodes: list(source, 'staticNodes', (key, entries) => entries.map((entry) => checkStaticNode(entry, key))),
    server,
    accessKeyId: required(source, 'accessKeyId'),
    accessKeySecret: required(source, 'accessKeySecret'),
    ...(server === 'aws'
      ? { awsRegion: required(source, 'awsRegion') }
      : { aliyunEndpoint: required(source, 'aliyunDnsEndpoint') }),
    ...(hostZone === undefined ? {} : { awsHostZoneId: hostZone }),
  };
}

function readChangeThreshold(source: ConfigSource): number {
  const key = 'node.dns.changeThreshold';
  const value = valueAt(source.root, key);
  const threshold = value === undefined ? 0.1 : asDouble(value, key);
  if (threshold > 0) return threshold;
  source.warn(`Check ${key}, should be bigger than 0, default 0.1`);
  return 0.1;
}

function readMaxMergeSize(source: ConfigSource): number {
  const key = 'node.dns.maxMergeSize';
  const value = valueAt(source.root, key);
  const size = value === undefined ? 5 : asInt32(value, key);
  if (size >= 1 && size <= 5) return size;
  source.warn(`Check ${key}, should be [1~5], default 5`);
  return 5;
}

function member(source: ConfigSource, name: string): string | undefined {
  const key = `node.dns.${name}`;
  const value = valueAt(source.root, key);
  return value === undefined ? undefined : asText(value, key);
}

function required(source: ConfigSource, name: string): string {
  const text = member(source, name);
  if (text) return text;
  throw new UsageError(`Check node.dns.${name}, must not be null or empty`);
}

function list<T>(
  source: ConfigSource,
  name: string,
  read: (key: string, entries: readonly string[]) => readonly T[],
): readonly T[] {
  const key = `node.dns.${name}`;
  const value = valueAt(source.root, key);
  return value === undefined ? [] : read(key, asTexts(value, key));
}

function checkedTreeUrls(value: HoconValue, key: string, source: ConfigSource): readonly string[] {
  const publishing = valueAt(source.root, 'node.dns.publish');
  const strict = publishing !== undefined && asBoolean(publishing, 'node.dns.publish');
  return asTexts(value, key).map((entry) => {
    if (!strict && !TREE_URL.test(entry)) source.warn(wrongTreeUrl(entry, key));
    return strict ? checkTreeUrl(entry, key) : entry;
  });
}

function wrongTreeUrl(entry: string, key: string): string {
  return `Check ${key}, entry "${entry}" must be tree://pubkey@domain`;
}

function checkTreeUrl(entry: string, key: string): string {
  if (TREE_URL.test(entry)) return entry;
  throw new UsageError(wrongTreeUrl(entry, key));
}

function checkStaticNode(entry: string, key: string): Endpoint {
  try {
    return parseEndpoint(entry, key);
  } catch (cause) {
    throw new UsageError(`Check ${key}, entry "${entry}" must be ip:port`, { cause });
  }
}

function members(): readonly Described[] {
  const only = (when: string) => `required ${when}`;
  return [
    described(
      'node.dns.dnsDomain',
      'string',
      only('to publish'),
      'root domain of the published tree; all other TXT records of this domain are deleted',
    ),
    described(
      'node.dns.changeThreshold',
      'double',
      '0.1',
      'fraction of the nodes of the published tree. When at least this fraction has changed, the node publishes the tree again',
      '> 0',
    ),
    described('node.dns.maxMergeSize', 'int', '5', 'maximum number of nodes per leaf of the tree', '1..5'),
    described('node.dns.dnsPrivate', 'string', only('to publish'), 'private key that signs the tree', '64 hex digits'),
    described(
      'node.dns.knownUrls',
      'string[] tree://pubkey@domain',
      '[]',
      'URLs of other DNS trees to which the published tree links',
    ),
    described('node.dns.staticNodes', 'string[] ip:port', '[]', 'nodes to publish instead of the discovered nodes'),
    described(
      'node.dns.serverType',
      'string',
      only('to publish'),
      'DNS provider that hosts the published tree',
      'aws or aliyun',
    ),
    described('node.dns.accessKeyId', 'string', only('to publish'), 'access key id of the DNS provider'),
    described('node.dns.accessKeySecret', 'string', only('to publish'), 'access key secret of the DNS provider'),
    described('node.dns.aliyunDnsEndpoint', 'string', only('for aliyun'), 'API endpoint of Aliyun DNS'),
    described('node.dns.awsRegion', 'string', only('for aws'), 'AWS region'),
    described(
      'node.dns.awsHostZoneId',
      'string',
      'absent',
      'AWS id of the hosted zone. Default: the zone that contains dnsDomain',
    ),
  ];
}
