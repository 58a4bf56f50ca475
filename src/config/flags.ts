import { itemAt, present } from '../primitives/assert.js';
import { ArgumentError } from '../primitives/errors.js';
import { type OptionRow, optionHint, readOptions } from './read-options.js';

type FlagKind = 'switch' | 'boolean' | 'text' | 'int' | 'long' | 'double';

/**
 * Parsed command line. A field is absent if its flag is not set. Times and sizes have the unit of the corresponding
 * configuration key.
 */
export interface Flags {
  readonly configFile?: string;
  readonly outputDirectory?: string;
  readonly logConfig?: string;
  readonly help?: boolean;
  readonly version?: boolean;
  readonly witness?: boolean;
  readonly privateKey?: string;
  readonly witnessAddress?: string;
  readonly password?: string;
  readonly es?: boolean;
  readonly fastForward?: boolean;
  readonly p2pDisable?: boolean;
  readonly solidity?: boolean;
  readonly debug?: boolean;
  /** Values of flags with a corresponding configuration key, as texts, by key. */
  readonly keys: ReadonlyMap<string, string>;
  /** Positional arguments, which replace `seed.node.ip.list`. */
  readonly seedNodes: readonly string[];
}

/**
 * Rule for the case that both a flag and its configuration key are set. `flag`: the flag applies. `key`: the key
 * applies. `ignored`: the flag is parsed, but never applies.
 */
type Precedence = 'flag' | 'key' | 'ignored';

/** One command line flag. */
export interface FlagRow extends OptionRow {
  readonly kind: FlagKind;
  readonly field?: keyof Flags;
  readonly key?: string;
  readonly precedence?: Precedence;
  /** True for a flag that exists only in releases in which flags take precedence over configuration keys. */
  readonly isLater?: true;
}

/** Names of values in the help, by kind of value. */
const PLACEHOLDERS: Readonly<Partial<Record<FlagKind, string>>> = {
  boolean: '<true|false>',
  text: '<text>',
  int: '<integer>',
  long: '<integer>',
  double: '<number>',
};

/** java-tron's flags in java-tron's order, and the flag `--release`. Reference: CommonParameter. */
export const flagRows: readonly FlagRow[] = [
  {
    ...own(['-c', '--config'], 'text', 'configFile', 'Configuration file'),
    value: '<file>',
    fallback: './config.conf; without this file, built-in settings of the main net',
  },
  {
    ...own(['-d', '--output-directory'], 'text', 'outputDirectory', 'Data folder'),
    value: '<folder>',
    fallback: './output-directory',
  },
  {
    ...own(['--log-config'], 'text', 'logConfig', 'Logback file of java-tron; ignored'),
    value: '<file>',
  },
  own(['-h', '--help'], 'switch', 'help', 'Print the help and exit'),
  own(['-v', '--version'], 'switch', 'version', 'Print the version and exit'),
  own(['-w', '--witness'], 'switch', 'witness', 'Produce blocks'),
  {
    ...own(
      ['-p', '--private-key'],
      'text',
      'privateKey',
      'Private key of the witness; overrides localwitness and localwitnesskeystore; visible in the process list',
    ),
    value: '<hex>',
  },
  {
    ...own(['--witness-address'], 'text', 'witnessAddress', 'Account address of the witness. Needs -p'),
    value: '<address>',
  },
  own(['--password'], 'text', 'password', 'Password of the keystore file; visible in the process list'),
  own(['--es'], 'switch', 'es', 'Emit events as configured in event.subscribe'),
  own(
    ['--fast-forward'],
    'switch',
    'fastForward',
    'Run as a fast forward node: accept only active witnesses as peers, and relay blocks between them',
  ),
  {
    ...own(['--p2p-disable'], 'boolean', 'p2pDisable', 'true: use no peers and serve only stored data'),
    fallback: 'false',
  },
  own(['--debug'], 'switch', 'debug', 'Disable the time limit of the TVM; does not change the log level'),
  own(
    ['--solidity'],
    'switch',
    'solidity',
    'Run as a solidity node: follow only the solidified blocks of node.trustNode',
  ),
  keyed(['--support-constant'], 'switch', 'vm.supportConstant', 'key'),
  keyed(['--max-energy-limit-for-constant'], 'long', 'vm.maxEnergyLimitForConstant', 'key'),
  unused(['--lru-cache-size'], 'int', 'vm.lruCacheSize', 'key'),
  unused(['--min-time-ratio'], 'double', 'vm.minTimeRatio', 'key'),
  unused(['--max-time-ratio'], 'double', 'vm.maxTimeRatio', 'key'),
  unused(['--long-running-time'], 'int', 'vm.longRunningTime', 'key'),
  keyed(['--save-internaltx'], 'switch', 'vm.saveInternalTx', 'ignored'),
  keyed(['--save-featured-internaltx'], 'switch', 'vm.saveFeaturedInternalTx', 'ignored'),
  {
    ...keyed(['--save-cancel-all-unfreeze-v2-details'], 'switch', 'vm.saveCancelAllUnfreezeV2Details', 'flag'),
    isLater: true,
  },
  keyed(['--max-connect-number'], 'int', 'node.maxHttpConnectNumber', 'ignored'),
  unused(['--rpc-thread'], 'int', 'node.rpc.thread', 'ignored'),
  unused(['--solidity-thread'], 'int', 'node.solidity.threads', 'ignored'),
  unused(['--validate-sign-thread'], 'int', 'node.validateSignThreadNum', 'ignored'),
  keyed(['--history-balance-lookup'], 'switch', 'storage.balance.history.lookup', 'ignored'),
  { ...keyed(['--trust-node'], 'text', 'node.trustNode', 'flag'), value: '<host:port>' },
  { ...unused(['--storage-db-directory'], 'text', 'storage.db.directory', 'flag'), value: '<folder>' },
  { ...unused(['--storage-db-engine'], 'text', 'storage.db.engine', 'flag'), value: '<LEVELDB|ROCKSDB>' },
  { ...unused(['--storage-db-synchronous'], 'text', 'storage.db.sync', 'flag'), value: '<true|false>' },
  { ...unused(['--storage-index-directory'], 'text', 'storage.index.directory', 'flag'), value: '<folder>' },
  { ...unused(['--storage-index-switch'], 'text', 'storage.index.switch', 'flag'), value: '<on|off>' },
  {
    ...unused(['--storage-transactionHistory-switch'], 'text', 'storage.transHistory.switch', 'flag'),
    value: '<on|off>',
  },
  { ...keyed(['--contract-parse-enable'], 'text', 'event.subscribe.contractParse', 'flag'), value: '<true|false>' },
  { ...keyed(['--release'], 'text', 'tronicle.release', 'flag'), value: '<release>' },
];

/**
 * Parses the flags of the command `run`. The texts of errors are those of java-tron (JCommander).
 * @throws {ArgumentError} unknown option, missing or invalid value, or duplicate option
 */
export function parseFlags(argv: readonly string[]): { flags: Flags } {
  const { options, words } = readOptions(argv, flagRows, unknownOption);
  return { flags: flagsOf(options, words) };
}

/**
 * Returns the flags of a parsed command line. Ignores other options.
 * @throws {ArgumentError} invalid value, or duplicate flag
 */
export function flagsOf(
  options: readonly { readonly row: OptionRow | FlagRow; readonly name: string; readonly value: string | undefined }[],
  words: readonly string[],
): Flags {
  const fields: Record<string, string | boolean> = {};
  const keys = new Map<string, string>();
  const seen = new Set<FlagRow>();
  // As in java-tron, a flag without value that is set twice is off.
  const isOn = (row: FlagRow) => (row.key === undefined ? fields[fieldOf(row)] === true : keys.get(row.key) === 'true');
  for (const { row, name, value: text } of options) {
    if (!('kind' in row)) continue;
    const isAgain = seen.has(row);
    if (isAgain && row.kind !== 'switch') throw new ArgumentError(`Can only specify option ${name} once.`);
    seen.add(row);
    const value = convert(row, name, text ?? String(!isOn(row)));
    if (row.key !== undefined) keys.set(row.key, value);
    else fields[fieldOf(row)] = row.kind === 'switch' || row.kind === 'boolean' ? value === 'true' : value;
  }
  return { ...fields, keys, seedNodes: words } as Flags; // The kind of each flag determines the type of its field.
}

/** Returns the data folder that a command line selects. */
export function dataFolderOf({ outputDirectory = 'output-directory' }: Pick<Flags, 'outputDirectory'>): string {
  return outputDirectory;
}

/** Returns the field for the value of a flag that has no configuration key. */
function fieldOf({ field }: FlagRow): keyof Flags {
  return present(field, 'a flag has a key or a field');
}

/** Flags of an empty command line. */
export const NO_FLAGS: Flags = { keys: new Map(), seedNodes: [] };

function own(names: readonly string[], kind: FlagKind, field: keyof Flags, doc: string): FlagRow {
  return withPlaceholder({ names, kind, field, doc });
}

function withPlaceholder(row: FlagRow): FlagRow {
  const value = PLACEHOLDERS[row.kind];
  return value === undefined ? row : { ...row, value };
}

function keyed(names: readonly string[], kind: FlagKind, key: string, precedence: Precedence): FlagRow {
  const sets = kind === 'switch' ? `Sets ${key} to true` : `Sets ${key}`;
  const doc = {
    flag: sets,
    key: `${sets}; if tronicle.release is 4.7.2, the configuration file has priority`,
    ignored: `${sets}; ignored if tronicle.release is 4.7.2`,
  }[precedence];
  return withPlaceholder({ names, kind, key, precedence, doc, fallback: 'the value of the key' });
}

/** Creates the row of a flag whose key has no effect in this node. GetNodeInfo reports some of these values. */
function unused(names: readonly string[], kind: FlagKind, key: string, precedence: Precedence): FlagRow {
  return { ...keyed(names, kind, key, precedence), doc: `Sets ${key}, which has no effect in this node` };
}

/** Options of release 4.8.2 that start another program, and the command that replaces each of them. */
const OTHER_PROGRAMS: Readonly<Record<string, string>> = {
  '--keystore-factory': 'use tronicle keystore to create key files',
};

/** Rejects flags that 4.8.2 added, for an older release. @throws {ArgumentError} such a flag is set */
export function refuseLaterFlags({ keys }: Flags): void {
  for (const { names, key, isLater } of flagRows)
    if (isLater && key !== undefined && keys.has(key)) throw unknownOption(itemAt(names, 0));
}

/**
 * Creates the error for an unknown option. The text is that of java-tron, which reads the option as a seed node and
 * fails to parse it.
 */
export function unknownOption(name: string): ArgumentError {
  const instead = OTHER_PROGRAMS[name];
  if (instead !== undefined) return new ArgumentError(`${name} is not supported; ${instead}`);
  const text = `Unknown option: ${name} (Invalid inetSocketAddress: "${name}", use ipv4:port or [ipv6]:port)`;
  return new ArgumentError(`${text}${optionHint(name, flagRows)}`);
}

const PATTERNS = {
  int: [/^[+-]?\d+$/, 'an integer'],
  long: [/^[+-]?\d+$/, 'a long'],
  double: [/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'a double'],
  boolean: [/^(true|false)$/i, 'a boolean'],
} as const;

/** Number of bits of an integer value, by kind of flag. */
const BITS: Readonly<Partial<Record<FlagKind, number>>> = { int: 32, long: 64 };

function convert(row: FlagRow, name: string, text: string): string {
  if (row.kind === 'switch' || row.kind === 'text') return text;
  const [pattern, what] = PATTERNS[row.kind];
  const bits = BITS[row.kind];
  if (!pattern.test(text) || (bits !== undefined && !hasBits(text.replace('+', ''), bits)))
    throw new ArgumentError(`"${name}": couldn't convert "${text}" to ${what}`);
  return row.kind === 'boolean' ? text.toLowerCase() : text;
}

function hasBits(text: string, bits: number): boolean {
  return BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
}
