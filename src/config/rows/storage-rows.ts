import { UsageError } from '../../primitives/errors.js';
import { isFolderPossible, isWritable } from '../folder-check.js';
import {
  asObject,
  asObjects,
  asText,
  type HoconObject,
  type HoconValue,
  hoconInt64,
  unwrappedText,
} from '../hocon/hocon-value.js';
import { bool, type ConfigKey, described, int, type RowTree, row, textKey } from '../row.js';
import type { ConfigSource } from '../source.js';
import { rocksDbRow } from './rocks-db-rows.js';

/** Options of LevelDB, as java-tron reads them. They are checked, but have no effect, because this node uses LMDB. */
interface DatabaseOptions {
  readonly createIfMissing?: boolean;
  readonly paranoidChecks?: boolean;
  readonly verifyChecksums?: boolean;
  readonly compressionType?: number;
  readonly blockSize?: number;
  readonly writeBufferSize?: number;
  readonly cacheSize?: number;
  readonly maxOpenFiles?: number;
}
interface DatabaseProperties extends DatabaseOptions {
  readonly name: string;
  readonly path?: string;
}

const OPTION_NAMES = {
  createIfMissing: 'bool',
  paranoidChecks: 'bool',
  verifyChecksums: 'bool',
  compressionType: 'Integer',
  blockSize: 'Integer',
  writeBufferSize: 'Integer',
  cacheSize: 'Long',
  maxOpenFiles: 'Integer',
} as const;
const CACHE_NAMES = [
  'witnessStandby',
  'recentBlock',
  'witness',
  'witnessSchedule',
  'delegatedResource',
  'delegatedResourceAccountIndex',
  'votes',
  'abi',
  'code',
  'contract',
  'assetIssueV2',
  'properties',
  'delegation',
  'storageRow',
  'account',
];

/** Section `storage`. Keys of LevelDB and RocksDB are read and checked, but have no effect. */
export const storageRows = {
  present: present(),
  db: {
    engine: textKey(
      'storage.db.engine',
      'LEVELDB',
      'database engine of java-tron: LEVELDB or ROCKSDB (any case); without effect, because this node uses LMDB',
    ),
    sync: javaBoolean(
      'storage.db.sync',
      false,
      'synchronous database writes of java-tron; without effect, because this node always flushes the block log',
    ),
    directory: textKey('storage.db.directory', 'database', 'database folder below the data folder; without effect'),
  },
  index: {
    directory: textKey('storage.index.directory', 'index', 'index folder of java-tron; without effect'),
    switch: textKey('storage.index.switch', 'on', 'index of java-tron, "on" or "off"; without effect'),
  },
  transHistory: { switch: transHistorySwitch() },
  needToUpdateAsset: bool('storage.needToUpdateAsset', true, 'migration of asset ids in java-tron; without effect'),
  checkpoint: {
    version: int(
      'storage.checkpoint.version',
      1,
      '2: the node writes a checkpoint folder before each commit of the state, as java-tron does. 1: the node writes no checkpoints',
    ),
    sync: bool('storage.checkpoint.sync', true, 'synchronous writes of checkpoints; without effect'),
  },
  txCache: {
    estimatedTransactions: int(
      'storage.txCache.estimatedTransactions',
      1000,
      'expected number of transactions per block, which sizes the duplicate check of java-tron; without effect',
      {
        min: 100,
        max: 10_000,
      },
    ),
  },
  snapshot: { maxFlushCount: maxFlushCount() },
  balance: {
    history: {
      lookup: bool(
        'storage.balance.history.lookup',
        false,
        'enables balance traces: getaccountbalance, getblockbalance',
      ),
    },
  },
  cache: { strategies: cacheStrategies() },
  default: options('default', 'all databases'),
  defaultM: options('defaultM', 'code and contract'),
  defaultL: options('defaultL', 'account, delegation and storage-row'),
  properties: properties(),
  rocksDb: rocksDbRow,
} as const satisfies RowTree;

/** Creates a key whose reader rejects a configuration without the section `storage`. */
function present(): ConfigKey<true> {
  return {
    ...described(
      'storage',
      'object',
      'required',
      'object that contains the storage keys. Without this object, the start fails',
    ),
    read: (source) => {
      const value = source.value('storage');
      if (value === undefined) throw new UsageError("No configuration setting found for key 'storage'");
      asObject(value, 'storage');
      return true;
    },
  };
}

/**
 * Creates the key of a boolean. On the command line, the text "true" is true in upper and lower case, and any other
 * text is false. In the file, the value must be a boolean.
 */
function javaBoolean(key: string, fallback: boolean, doc: string): ConfigKey<boolean> {
  const configKey = bool(key, fallback, doc);
  return {
    ...configKey,
    read: (source) => {
      const flagValue = source.flags.keys.get(key);
      return flagValue === undefined || flagValue === '' ? configKey.read(source) : flagValue.toLowerCase() === 'true';
    },
  };
}

function transHistorySwitch(): ConfigKey<boolean> {
  const doc =
    'java-tron stores transaction infos if the value is "on", "true", "yes", "t" or "y" (any case); without effect, because this node always stores transaction infos';
  const configKey = row('storage.transHistory.switch', 'string', true, doc, (value, key) =>
    /^(on|true|yes|t|y)$/i.test(asText(value, key)),
  );
  return { ...configKey, fallback: '"on"' };
}

/** Returns the key `storage.snapshot.maxFlushCount`. The reader rejects values out of range, with java-tron's texts. */
function maxFlushCount(): ConfigKey<number> {
  const configKey = int(
    'storage.snapshot.maxFlushCount',
    1,
    'number of blocks per commit of java-tron during catch-up; without effect',
  );
  const read = (source: ConfigSource) => {
    const count = configKey.read(source);
    if (count <= 0) throw new UsageError('MaxFlushCount value can not be negative or zero!');
    if (count > 500) throw new UsageError('MaxFlushCount value must not exceed 500!');
    return count;
  };
  return { ...configKey, limits: '1..500', read };
}

/** Returns the key `storage.cache.strategies`. The reader rejects unknown names of caches. */
function cacheStrategies(): ConfigKey<ReadonlyMap<string, string>> {
  const key = 'storage.cache.strategies';
  const doc = `cache sizes of java-tron by store name (${CACHE_NAMES.join(', ')}); checked, but without effect`;
  const read = (value: HoconValue, at: string): ReadonlyMap<string, string> =>
    new Map(
      [...asObject(value, at).fields].map(([name, spec]) => {
        if (!CACHE_NAMES.includes(name))
          throw new UsageError(`No enum constant org.tron.common.cache.CacheType.${name}`);
        return [name, asText(spec, `${at}.${name}`)];
      }),
    );
  const configKey = row<ReadonlyMap<string, string>>(key, 'object', new Map(), doc, read);
  return { ...configKey, fallback: 'built-in', open: true };
}

function options(name: string, databases: string): ConfigKey<DatabaseOptions | undefined> {
  const doc = `LevelDB options of ${databases}, with the fields of storage.properties except name and path; without effect`;
  const configKey = row<DatabaseOptions | undefined>(`storage.${name}`, 'object', undefined, doc, (value, key) =>
    readOptions(asObject(value, key)),
  );
  return { ...configKey, open: true };
}

/**
 * Returns the key `storage.properties`. The reader checks paths without creating them, and rejects invalid values with
 * java-tron's texts.
 */
function properties(): ConfigKey<readonly DatabaseProperties[]> {
  const doc = 'LevelDB options of individual databases of java-tron; checked, but without effect';
  const configKey = row<readonly DatabaseProperties[]>('storage.properties', 'object[]', [], doc, (value, key) => {
    const all = asObjects(value, key).map(readProperties);
    const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
    if (twice) throw new UsageError(`Duplicate key ${twice.name} in ${key}`);
    return all;
  });
  return { ...configKey, members: ['name', 'path', ...Object.keys(OPTION_NAMES)] };
}

function readProperties(object: HoconObject): DatabaseProperties {
  const name = object.fields.get('name');
  if (name === undefined) throw new UsageError('[storage.properties] database name must be set.');
  const path = object.fields.get('path');
  const folder = path && unwrappedText(path, 'storage.properties.path');
  if (folder !== undefined && !isFolderPossible(folder))
    throw new UsageError(`[storage.properties] can not create storage path: ${folder}`);
  if (folder !== undefined && !isWritable(folder))
    throw new UsageError(`[storage.properties] permission denied to write to: ${folder} `);
  return {
    name: unwrappedText(name, 'storage.properties.name'),
    ...(folder === undefined ? {} : { path: folder }),
    ...readOptions(object),
  };
}

function readOptions(object: HoconObject): DatabaseOptions {
  const read = Object.entries(OPTION_NAMES).flatMap(([name, type]): [string, boolean | number][] => {
    const value = object.fields.get(name);
    if (value === undefined) return [];
    const text = unwrappedText(value, `storage.properties.${name}`);
    if (type === 'bool') return [[name, text.toLowerCase() === 'true']];
    const exact = hoconInt64(text);
    if (exact === undefined || (type === 'Integer' && BigInt.asIntN(32, exact) !== exact))
      throw new UsageError(`[storage.properties] ${name} must be ${type} type, actual: ${text}.`);
    return [[name, Number(exact)]];
  });
  return Object.fromEntries(read) as DatabaseOptions; // Names and types are those of `OPTION_NAMES`.
}
