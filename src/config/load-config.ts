import { existsSync } from 'node:fs';
import { itemAt } from '../primitives/assert.js';
import { UsageError } from '../primitives/errors.js';
import { configTable } from './config-table.js';
import { type Endpoint, isOwnEndpoint } from './endpoint.js';
import { dataFolderOf, type Flags, flagRows, NO_FLAGS, refuseLaterFlags } from './flags.js';
import { addressPrefix } from './genesis.js';
import { readHoconFile } from './hocon/hocon.js';
import { asTexts, type HoconObject } from './hocon/hocon-value.js';
import { checkForRelease } from './release-checks.js';
import { asReadBy, fileRulesOf, ignoredKeys, MAIN_NET_FILE } from './release-defaults.js';
import { readTree, type Values } from './row.js';
import { ConfigSource, type KeyOverrides } from './source.js';
import { unusedKeys, warnUnknownKeys } from './unknown-keys.js';
import { readWitness, type WitnessConfig } from './witness.js';

type Table = Values<typeof configTable>;

const NO_OVERRIDES: KeyOverrides = { overrides: new Map(), fallbacks: new Map() };

/** Peers of `node.active`, except this node itself, and peers of `node.passive`. */
interface PeerLists {
  readonly active: readonly Endpoint[];
  readonly passive: readonly Endpoint[];
}

/**
 * Peer lists of a changed file. Each list is checked when it is read, so an invalid list does not affect the other
 * list.
 */
export interface ChangedPeerLists {
  active(): readonly Endpoint[];
  passive(): readonly Endpoint[];
}

/**
 * The checked, frozen configuration. The path of a field is the path of its key. Fields of the command line are first.
 */
export interface NodeConfig extends Omit<Table, 'node'> {
  /** Path of the configuration file. */
  readonly file: string;
  readonly outputDirectory: string;
  readonly p2pDisable: boolean;
  /** True for a solidity node. It follows the solidified blocks of one trusted node. Reference: SolidityNode */
  readonly isSolidityNode: boolean;
  readonly debug: boolean;
  readonly eventSubscription: boolean;
  readonly fastForward: boolean;
  readonly witness: WitnessConfig;
  /** First byte of every address: 0x41, or 0xa0 on a testnet. */
  readonly addressPrefix: number;
  readonly peers: PeerLists;
  readonly node: Omit<Table['node'], 'active' | 'passive'>;
}

export interface LoadOptions {
  /** Path of the configuration file. It replaces the file that the flags name. */
  readonly file?: string;
  readonly flags?: Flags;
  /** Values that a command sets for absent keys. For example, `test-driver` sets `tronicle.http.enable` to `false`. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** True to read witness keys even without `--witness`. */
  readonly readsKeys?: boolean;
}

export interface LoadedConfig {
  readonly config: NodeConfig;
  /** Warnings about a valid file. Each is one sentence. */
  readonly warnings: readonly string[];
}

export { MAIN_NET_FILE };

/**
 * Reads the configuration file and the command line by the rules of the selected release.
 * @throws {UsageError} missing file, invalid syntax or invalid value; the message is one sentence, and java-tron's text
 * if java-tron has one
 */
export function loadConfig({ file, flags = NO_FLAGS, ...options }: LoadOptions = {}): LoadedConfig {
  const path = findConfigFile(file ?? flags.configFile);
  const missing: string[] = [];
  const root = readHoconFile(path, process.env, (text) => missing.push(text));
  const { config, warnings } = configFrom(root, { ...options, file: path, flags });
  return { config, warnings: [...missing, ...warnings] };
}

/**
 * Creates the configuration from a file that is already parsed. `file` is the name of this file.
 * @throws {UsageError} invalid value
 */
export function configFrom(root: HoconObject, options: LoadOptions): LoadedConfig {
  const { file = 'memory', flags = NO_FLAGS, defaults = {}, readsKeys = false } = options;
  const release = configTable.tronicle.release.read(
    new ConfigSource(file, root, flags, overridesOf(flags, defaults, false)),
  );
  const rules = fileRulesOf(release);
  if (!rules.flagsWin) refuseLaterFlags(flags);
  const overrides = overridesOf(flags, defaults, rules.flagsWin);
  const source = new ConfigSource(file, asReadBy(root, rules), flags, overrides);
  const config = readConfig(source, readsKeys);
  const warnings = [
    ...new Set([...source.warnings, ...warnUnknownKeys(root), ...unusedKeys(root), ...ignoredKeys(root, release)]),
  ];
  return { config, warnings: rules.flagsWin ? [...warnings, ...deprecatedFlags(flags)] : warnings };
}

/**
 * Returns the path of the configuration file. The default is `config.conf` in the working directory. If that file does
 * not exist, it is the file of the main net in this package. Reference: Configuration.getByFileName.
 * @throws {UsageError} the named file does not exist
 */
function findConfigFile(name: string | undefined): string {
  const fileName = name?.trim() ? name : 'config.conf';
  if (existsSync(fileName)) return fileName;
  if (fileName === 'config.conf') return MAIN_NET_FILE;
  throw new UsageError(`Configuration path is required! No Such file ${fileName}`);
}

function readConfig(source: ConfigSource, readsKeys: boolean): NodeConfig {
  const { flags } = source;
  const whole = readTree(configTable, source);
  checkForRelease(source, whole);
  const { node, ...table } = whole;
  const { active: _active, passive: _passive, ...rest } = node;
  return freeze({
    file: source.file,
    outputDirectory: dataFolderOf(flags),
    p2pDisable: flags.p2pDisable === true,
    isSolidityNode: flags.solidity === true,
    debug: flags.debug === true,
    eventSubscription: flags.es === true,
    fastForward: flags.fastForward === true,
    witness: readWitness(source, table.crypto.engine, {
      isStrict: fileRulesOf(table.tronicle.release).flagsWin,
      readsKeys,
    }),
    addressPrefix: addressPrefix(source),
    peers: peerLists(node),
    ...table,
    node: {
      ...rest,
      fastForward: withoutOwn(node.fastForward, node),
    },
  });
}

/**
 * Reads the peer lists of the configuration file again. Changes of other keys have no effect. Reference:
 * DynamicArgs.reload
 * @throws {UsageError} invalid syntax; since 4.8.2 also an invalid value anywhere in the section `node`
 */
export function changedPeerLists({ file, tronicle: { release }, node }: NodeConfig): ChangedPeerLists {
  const rules = fileRulesOf(release);
  const source = new ConfigSource(file, asReadBy(readHoconFile(file), rules), NO_FLAGS, NO_OVERRIDES);
  if (rules.readsNodeWhole) checkNodeSection(source);
  return {
    active: () => withoutOwn(configTable.node.active.read(source), node),
    passive: () => configTable.node.passive.read(source),
  };
}

/**
 * Checks the values of the section `node`. For a list of nodes, checks only that it is a list of texts. Reference:
 * NodeConfig.
 * @throws {UsageError} a value is invalid
 */
function checkNodeSection(source: ConfigSource): void {
  const { active, passive, fastForward, dns: _dns, ...others } = configTable.node;
  readTree(others, source);
  for (const { key } of [active, passive, fastForward]) {
    const value = source.value(key);
    if (value !== undefined) asTexts(value, key);
  }
}

function peerLists(node: Table['node']): PeerLists {
  return freeze({ active: withoutOwn(node.active, node), passive: node.passive });
}

function withoutOwn(
  list: readonly Endpoint[],
  { discovery, listen }: Pick<Table['node'], 'discovery' | 'listen'>,
): readonly Endpoint[] {
  const hosts = [discovery.bind.ip, discovery.external.ip].flatMap((ip) => ip?.trim() || []);
  return list.filter((endpoint) => !isOwnEndpoint(endpoint, { hosts, port: listen.port }));
}

/** Returns a warning for each deprecated flag that is set. Reference: Args.applyCLIParams of 4.8.2. */
function deprecatedFlags({ keys, seedNodes, es, fastForward }: Flags): readonly string[] {
  const warnings = flagRows.flatMap(({ names, key }) =>
    key === undefined || key === 'tronicle.release' || !keys.has(key) ? [] : [deprecated(itemAt(names, 0), key)],
  );
  if (es === true) warnings.push(deprecated('--es', 'event.subscribe.enable'));
  if (fastForward === true) warnings.push(deprecated('--fast-forward', undefined));
  if (seedNodes.length === 0) return warnings;
  return [
    ...warnings,
    'Positional seed-node arguments are deprecated. Please use seed.node.ip.list in the config file instead.',
  ];
}

function deprecated(name: string, key: string | undefined): string {
  const text = `CLI option '${name}' is deprecated and will be removed in a future release.`;
  return key === undefined ? text : `${text} Please use config key '${key}' instead.`;
}

function overridesOf(flags: Flags, defaults: Readonly<Record<string, string>>, flagsWin: boolean): KeyOverrides {
  const overrides = new Map<string, string>();
  const fallbacks = new Map(Object.entries(defaults));
  for (const { key, precedence } of flagRows) {
    const text = key === undefined ? undefined : flags.keys.get(key);
    if (key === undefined || text === undefined || text === '') continue;
    if (flagsWin || precedence === 'flag') overrides.set(key, text);
    else if (precedence === 'key') fallbacks.set(key, text);
  }
  return { overrides, fallbacks };
}

/**
 * Freezes plain objects and lists, including their content. Objects of classes, such as cron rules, are immutable
 * anyway.
 */
function freeze<T>(value: T): T {
  const isPlain = Array.isArray(value) || (typeof value === 'object' && value !== null && isPlainObject(value));
  if (isPlain && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value as object)) freeze(member);
  }
  return value;
}

function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
