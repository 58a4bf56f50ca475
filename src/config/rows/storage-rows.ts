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

/** LevelDB options as the reference reads them; this node stores in LMDB, so they are checked and have no effect. */
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

/** Section `storage`. What concerns LevelDB and RocksDB is read, checked and without effect. */
export const storageRows = {
  present: present(),
  db: {
    engine: textKey(
      'storage.db.engine',
      'LEVELDB',
      'LEVELDB or ROCKSDB (any case); this node stores in LMDB all the same',
    ),
    sync: javaBoolean('storage.db.sync', false, 'synchronous writes; this node always flushes the log'),
    directory: textKey('storage.db.directory', 'database', 'name below the output directory; without effect'),
  },
  index: {
    directory: textKey('storage.index.directory', 'index', 'without effect'),
    switch: textKey('storage.index.switch', 'on', 'without effect'),
  },
  transHistory: { switch: transHistorySwitch() },
  needToUpdateAsset: bool('storage.needToUpdateAsset', true, 'run the asset id migration once, when needed'),
  checkpoint: {
    version: int('storage.checkpoint.version', 1, '1: single store, 2: one directory per checkpoint'),
    sync: bool('storage.checkpoint.sync', true, 'flush checkpoints'),
  },
  txCache: {
    estimatedTransactions: int(
      'storage.txCache.estimatedTransactions',
      1000,
      'transactions per block, to size the duplicate check',
      {
        min: 100,
        max: 10_000,
      },
    ),
  },
  snapshot: { maxFlushCount: maxFlushCount() },
  balance: {
    history: {
      lookup: bool('storage.balance.history.lookup', false, 'balance traces: getaccountbalance, getblockbalance'),
    },
  },
  cache: { strategies: cacheStrategies() },
  default: options('default', 'all databases'),
  defaultM: options('defaultM', 'code and contract'),
  defaultL: options('defaultL', 'account, delegation and storage-row'),
  properties: properties(),
  rocksDb: rocksDbRow,
} as const satisfies RowTree;

/** The section must be there. @throws {UsageError} */
function present(): ConfigKey<true> {
  return {
    ...described('storage', 'object', 'required', 'the section must exist'),
    read: (source) => {
      const value = source.value('storage');
      if (value === undefined) throw new UsageError("No configuration setting found for key 'storage'");
      asObject(value, 'storage');
      return true;
    },
  };
}

/** The command line gives any text and means true by "true" in any case, the file a boolean. */
function javaBoolean(key: string, fallback: boolean, doc: string): ConfigKey<boolean> {
  const made = bool(key, fallback, doc);
  return {
    ...made,
    read: (source) => {
      const given = source.flags.keys.get(key);
      return given === undefined || given === '' ? made.read(source) : given.toLowerCase() === 'true';
    },
  };
}

function transHistorySwitch(): ConfigKey<boolean> {
  const doc = '"on", "true", "yes", "t", "y" (any case): keep transaction infos (gettransactioninfobyid)';
  const made = row('storage.transHistory.switch', 'string', true, doc, (value, key) =>
    /^(on|true|yes|t|y)$/i.test(asText(value, key)),
  );
  return { ...made, fallback: '"on"' };
}

/** @throws {UsageError} out of range. */
function maxFlushCount(): ConfigKey<number> {
  const made = int('storage.snapshot.maxFlushCount', 1, 'blocks per commit while catching up; without effect');
  const read = (source: ConfigSource) => {
    const count = made.read(source);
    if (count <= 0) throw new UsageError('MaxFlushCount value can not be negative or zero!');
    if (count > 500) throw new UsageError('MaxFlushCount value must not exceed 500!');
    return count;
  };
  return { ...made, limits: '1..500', read };
}

/** @throws {UsageError} unknown cache. */
function cacheStrategies(): ConfigKey<ReadonlyMap<string, string>> {
  const key = 'storage.cache.strategies';
  const doc = `cache specifications by name (${CACHE_NAMES.join(', ')}); checked, without effect`;
  const read = (value: HoconValue, at: string): ReadonlyMap<string, string> =>
    new Map(
      [...asObject(value, at).fields].map(([name, spec]) => {
        if (!CACHE_NAMES.includes(name))
          throw new UsageError(`No enum constant org.tron.common.cache.CacheType.${name}`);
        return [name, asText(spec, `${at}.${name}`)];
      }),
    );
  const made = row<ReadonlyMap<string, string>>(key, 'object', new Map(), doc, read);
  return { ...made, fallback: 'built-in', open: true };
}

function options(name: string, databases: string): ConfigKey<DatabaseOptions | undefined> {
  const doc = `LevelDB options of ${databases}, members as in storage.properties without name and path; without effect`;
  const made = row<DatabaseOptions | undefined>(`storage.${name}`, 'object', undefined, doc, (value, key) =>
    readOptions(asObject(value, key)),
  );
  return { ...made, open: true };
}

/** @throws {UsageError} with the reference's texts; a path is checked, not made. */
function properties(): ConfigKey<readonly DatabaseProperties[]> {
  const doc = 'options of single databases; checked, without effect';
  const made = row<readonly DatabaseProperties[]>('storage.properties', 'object[]', [], doc, (value, key) => {
    const all = asObjects(value, key).map(readProperties);
    const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
    if (twice) throw new UsageError(`Duplicate key ${twice.name} in ${key}`);
    return all;
  });
  return { ...made, members: ['name', 'path', ...Object.keys(OPTION_NAMES)] };
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
    const given = unwrappedText(value, `storage.properties.${name}`);
    if (type === 'bool') return [[name, given.toLowerCase() === 'true']];
    const exact = hoconInt64(given);
    if (exact === undefined || (type === 'Integer' && BigInt.asIntN(32, exact) !== exact))
      throw new UsageError(`[storage.properties] ${name} must be ${type} type, actual: ${given}.`);
    return [[name, Number(exact)]];
  });
  return Object.fromEntries(read) as DatabaseOptions; // the names and types are those of OPTION_NAMES
}
