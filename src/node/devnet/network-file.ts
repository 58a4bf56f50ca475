import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as Mnemonic from 'ox/Mnemonic';
import { NO_FLAGS } from '../../config/flags.js';
import { readHoconText } from '../../config/hocon/hocon.js';
import { configFrom, type NodeConfig } from '../../config/load-config.js';
import { BLOCK_TIME_MIN_MS } from '../../config/rows/tronicle-rows.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';
import { releaseNamed, releases } from '../../state-transition/releases/index.js';
import { isBroker } from '../../streams/sinks/kafka/kafka-options.js';
import { devnetAccounts } from './devnet-accounts.js';

/** Options of one run. They do not change the stored configuration of the network. */
interface RunOptions {
  /** Listen address. Default: the loopback address. */
  readonly host?: string | undefined;
  /** First of thirteen consecutive ports, as a decimal text. */
  readonly portBase?: string | undefined;
  /** Bootstrap server of Kafka. If set, the network has a Kafka sink. */
  readonly kafka?: string | undefined;
}

/** Options that are set when the network is created. */
interface CreationOptions {
  readonly release?: string | undefined;
  readonly chainId?: string | undefined;
  /** Time between blocks, in ms, as a decimal text. */
  readonly blockTime?: string | undefined;
  /** Number of funded accounts. */
  readonly accounts?: string | undefined;
  /** BIP-39 words of the funded accounts. */
  readonly mnemonic?: string | undefined;
}

/** Parsed configuration of a private network, and a function that stores it. */
interface NetworkFile {
  readonly config: NodeConfig;
  /**
   * Writes the configuration to the data folder. For a fresh network (`--fresh`), first deletes the data folder with
   * all its data.
   */
  write(): void;
}

const TEMPLATE = fileURLToPath(new URL('../../../config/devnet.conf', import.meta.url));
/**
 * Number of slots between the genesis time of a new network and its first start. The first start produces the blocks of
 * these slots.
 */
const SLOTS_BEFORE_START = 3;
/** Keys of the ports that `--port-base` sets, in the order of the ports. */
const PORT_KEYS = [
  'node.http.fullNodePort',
  'node.http.solidityPort',
  'node.http.PBFTPort',
  'node.jsonrpc.httpFullNodePort',
  'node.jsonrpc.httpSolidityPort',
  'node.jsonrpc.httpPBFTPort',
  'node.rpc.port',
  'node.rpc.solidityPort',
  'node.rpc.PBFTPort',
  'tronicle.http.port',
  'tronicle.admin.port',
  'tronicle.follow.listen',
  'node.metrics.prometheus.port',
] as const;
const PORT_MAX = 65_535;

/**
 * Reads the configuration of the network in a data folder. If the folder has no network, creates a configuration whose
 * genesis time is three slots ago.
 * @param isFresh true to ignore an existing network in the folder; `write` then deletes it
 * @throws {UsageError} invalid option or configuration
 */
export function readNetworkFile(dataDir: string, isFresh: boolean, options: RunOptions & CreationOptions): NetworkFile {
  const file = join(dataDir, 'devnet.conf');
  const isNew = isFresh || !existsSync(file);
  const text = isNew ? newNetwork(options) : readFileSync(file, 'utf8');
  const read = (name: string, content: string): NodeConfig =>
    configFrom(readHoconText(content, name), {
      file: name,
      flags: { ...NO_FLAGS, witness: true, p2pDisable: true },
      defaults: { 'tronicle.api.address': '127.0.0.1' },
    }).config;
  const stored = read(file, text);
  if (!isNew) refuseOther(stored, options);
  const lines = linesOf(options, stored);
  const withOptions = join(dataDir, 'devnet-options.conf');
  const added = `${text}\n# Options of the last start.\n${lines.join('\n')}\n`;
  return {
    config: lines.length === 0 ? stored : read(withOptions, added),
    write: () => {
      if (isFresh) rmSync(dataDir, { recursive: true, force: true });
      mkdirSync(dataDir, { recursive: true });
      if (isNew) writeFileSync(file, text);
      if (lines.length > 0) writeFileSync(withOptions, added);
    },
  };
}

/** Returns the template of the configuration with the values of the options. @throws {UsageError} invalid option */
function newNetwork({ release, chainId, blockTime, accounts, mnemonic }: CreationOptions): string {
  const slotMs = blockTime === undefined ? SLOT_MS : whole('--block-time', blockTime, BLOCK_TIMES);
  const genesisTime = (Math.floor(Date.now() / slotMs) - SLOTS_BEFORE_START) * slotMs;
  let text = readFileSync(TEMPLATE, 'utf8').replaceAll('{{genesisTime}}', String(genesisTime));
  if (release !== undefined) text = ofRelease(text, release);
  if (chainId !== undefined)
    text = text.replace(/(?<=chainId = )\d+/, String(whole('--chain-id', chainId, { most: CHAIN_ID_MAX })));
  text = text.replace(/(?<=blockTime = )\d+/, String(slotMs));
  if (accounts === undefined && mnemonic === undefined) return text;
  if (mnemonic !== undefined && !Mnemonic.validate(mnemonic, Mnemonic.english))
    throw new ArgumentError('invalid --mnemonic: use 12 to 24 English BIP-39 words with a valid checksum, in quotes');
  const rules = {
    accounts: whole('--accounts', accounts ?? String(ACCOUNTS), { most: ACCOUNTS_MAX }),
    mnemonic: mnemonic ?? '',
  };
  const rows = devnetAccounts(rules).map(
    ({ address }, at) =>
      `    { accountName = "account${at}", accountType = "AssetIssue", address = "${address}", balance = "${FUNDS}" }\n`,
  );
  const [first = '', ...others] = text.match(ACCOUNT_ROW) ?? [];
  for (const row of others) text = text.replace(row, '');
  return `${text.replace(first, rows.join(''))}
tronicle.devnet { accounts = ${rules.accounts}, mnemonic = "${rules.mnemonic}" }
`;
}

const ACCOUNT_ROW = /^ {4}\{ accountName = "account\d+".*\n/gm;
/** Initial balance of a funded account, in SUN. */
const FUNDS = '1000000000000000';
const ACCOUNTS = 10;
const ACCOUNTS_MAX = 1_000;
/** Largest chain id of the configuration, a signed 32-bit integer. */
const CHAIN_ID_MAX = 2_147_483_647;
const BLOCK_TIMES: Bounds = { least: BLOCK_TIME_MIN_MS, most: SLOT_MS, unit: 'ms' };

/**
 * Sets the release in a configuration, and removes the parameters that the release does not have.
 * @throws {UsageError} unknown release
 */
function ofRelease(text: string, name: string): string {
  const release = releaseNamed(name);
  if (release === undefined)
    throw new ArgumentError(`invalid --release: ${name}; use ${releases.map((known) => known.name).join(', ')}`);
  const known = new Set([...release.parameters.values()].map(({ shown }) => shown));
  return text
    .replace(/(?<=tronicle\.release = )"[^"]*"/, `"${name}"`)
    .replace(/\b(get\w+) = -?\d+,? ?/g, (row, parameter: string) => (known.has(parameter) ? row : ''));
}

/**
 * Checks that the creation options equal the values of the existing network.
 * @throws {UsageError} an option differs from the value of the network
 */
function refuseOther(
  { tronicle }: NodeConfig,
  { release, chainId, blockTime, accounts, mnemonic }: CreationOptions,
): void {
  const { devnet } = tronicle;
  for (const [option, requested, stored] of [
    ['--release', release, tronicle.release],
    ['--chain-id', chainId, String(devnet.chainId)],
    ['--block-time', blockTime, String(devnet.blockTime)],
    ['--accounts', accounts, String(devnet.accounts)],
    ['--mnemonic', mnemonic, devnet.mnemonic],
  ] as const)
    if (requested !== undefined && requested !== stored)
      throw new UsageError(
        `${option} is set when a network is created; add --fresh to replace this network by a new one`,
      );
}

interface Bounds {
  readonly least?: number;
  readonly most: number;
  readonly unit?: string;
}

/** Parses an integer of at most 10 digits. @throws {ArgumentError} not an integer in `least`..`most` */
function whole(option: string, text: string, { least = 1, most, unit }: Bounds): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
  const kind = unit === undefined ? 'an integer' : `an integer of ${unit}`;
  throw new ArgumentError(`invalid ${option}: ${text}; use ${kind} in ${least}..${most}`);
}

/** Returns the configuration lines that the options set. @throws {UsageError} invalid option */
function linesOf({ host, portBase, kafka }: RunOptions, { tronicle }: NodeConfig): string[] {
  const lines: string[] = [];
  if (host !== undefined) {
    if (isIP(host) === 0) throw new ArgumentError(`invalid --host: ${host}; use an IP address such as 0.0.0.0`);
    lines.push(`tronicle.api.address = "${host}"`, `tronicle.http.address = "${host}"`);
  }
  const base = portBase === undefined ? undefined : firstPort(portBase);
  if (base !== undefined)
    for (const [offset, key] of PORT_KEYS.entries())
      if (key !== 'tronicle.follow.listen') lines.push(`${key} = ${base + offset}`);
  if (host !== undefined || base !== undefined) {
    const listen = tronicle.follow.listen.map((address) => movedAddress(address, host, base));
    lines.push(`tronicle.follow.listen = ${JSON.stringify(listen)}`);
  }
  if (kafka !== undefined) {
    // Omits the text, because it can contain a password.
    if (!kafka.split(',').every((broker) => isBroker(broker.trim())))
      throw new ArgumentError('invalid --kafka: use host:port, or several brokers separated by commas');
    lines.push(
      `tronicle.sinks += { name = "kafka", type = kafka, bootstrap = ${JSON.stringify(kafka)}, prefix = "tronicle", topics = [ transaction ] }`,
    );
  }
  return lines;
}

/** Replaces host and port of a multiaddr of the form `/ip4/<address>/tcp/<port>[/ws]`. */
function movedAddress(address: string, host: string | undefined, base: number | undefined): string {
  const [, protocol, current, tcp, port, ...rest] = address.split('/');
  const family = host === undefined ? protocol : `ip${isIPv6(host) ? 6 : 4}`;
  const moved = base === undefined ? port : base + PORT_KEYS.indexOf('tronicle.follow.listen');
  return ['', family, host ?? current, tcp, moved, ...rest].join('/');
}

function firstPort(text: string): number {
  return whole('--port-base', text, { most: PORT_MAX - PORT_KEYS.length + 1 });
}
