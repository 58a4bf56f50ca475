import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_FLAGS } from '../../config/flags.js';
import { readHoconText } from '../../config/hocon/hocon.js';
import { configFrom, type NodeConfig } from '../../config/load-config.js';
import { UsageError } from '../../primitives/errors.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

/** Options of one run. They do not change the network. */
interface RunOptions {
  /** Listen address. Default: the loopback address. */
  readonly host?: string | undefined;
  /** First of thirteen consecutive ports. */
  readonly portBase?: string | undefined;
  /** Bootstrap server of a Kafka sink. */
  readonly kafka?: string | undefined;
}

/** Configuration of a private network. */
interface NetworkFile {
  readonly config: NodeConfig;
  /** Writes the configuration to the data folder. */
  write(): void;
}

const TEMPLATE = fileURLToPath(new URL('../../../config/devnet.conf', import.meta.url));
/** Slots between the genesis time of a new network and its first start. Their blocks are produced at the start. */
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
 * Reads the configuration of the network in a data folder. A new network has the current time as its genesis time.
 * @param isFresh true ignores the network in the folder; `write` then deletes it
 * @throws {UsageError} invalid option or configuration
 */
export function readNetworkFile(dataDir: string, isFresh: boolean, options: RunOptions): NetworkFile {
  const file = join(dataDir, 'devnet.conf');
  const isNew = isFresh || !existsSync(file);
  const text = isNew ? newNetwork() : readFileSync(file, 'utf8');
  const read = (name: string, content: string): NodeConfig =>
    configFrom(readHoconText(content, name), {
      file: name,
      flags: { ...NO_FLAGS, witness: true, p2pDisable: true },
      defaults: { 'tronicle.api.address': '127.0.0.1' },
    }).config;
  const stored = read(file, text);
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

function newNetwork(): string {
  const genesisTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOTS_BEFORE_START * SLOT_MS;
  return readFileSync(TEMPLATE, 'utf8').replaceAll('{{genesisTime}}', String(genesisTime));
}

/** Returns the configuration lines of the options. @throws {UsageError} invalid option */
function linesOf({ host, portBase, kafka }: RunOptions, { tronicle }: NodeConfig): string[] {
  const lines: string[] = [];
  if (host !== undefined) {
    if (isIP(host) === 0) throw new UsageError(`invalid --host: ${host}; use an IP address such as 0.0.0.0`);
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
  if (kafka !== undefined)
    lines.push(
      `tronicle.sinks += { name = "kafka", type = kafka, bootstrap = "${kafka}", prefix = "tronicle", topics = [ transaction ] }`,
    );
  return lines;
}

/** Replaces host and port of a multiaddr: /ip4/<address>/tcp/<port>[/ws] */
function movedAddress(address: string, host: string | undefined, base: number | undefined): string {
  const [, protocol, current, tcp, port, ...rest] = address.split('/');
  const family = host === undefined ? protocol : `ip${isIPv6(host) ? 6 : 4}`;
  const moved = base === undefined ? port : base + PORT_KEYS.indexOf('tronicle.follow.listen');
  return ['', family, host ?? current, tcp, moved, ...rest].join('/');
}

function firstPort(text: string): number {
  const most = PORT_MAX - PORT_KEYS.length + 1;
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= most) return Number(text);
  throw new UsageError(`invalid --port-base: ${text}; use a port in 1..${most}`);
}
