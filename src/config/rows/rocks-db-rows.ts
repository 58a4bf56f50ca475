import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../primitives/errors.js';
import { isFolderPossible } from '../folder-check.js';
import { asText } from '../hocon/hocon-value.js';
import { bool, type ConfigKey, type Described, described, double, int, long, textKey } from '../row.js';
import type { ConfigSource } from '../source.js';

/**
 * Settings of RocksDB. They are checked as in java-tron, but have no effect, because this node does not use RocksDB.
 */
interface RocksDb {
  readonly levelNumber: number;
  readonly compactThreads: number;
  readonly backup?: {
    readonly propPath: string;
    readonly paths: readonly [string, string];
    readonly frequency: number;
  };
}

const SETTINGS = {
  levelNumber: int('storage.dbSettings.levelNumber', 7, 'RocksDB option'),
  compactThreads: int('storage.dbSettings.compactThreads', availableParallelism(), 'RocksDB option', {
    shown: 'number of CPUs',
  }),
  blocksize: int('storage.dbSettings.blocksize', 16, 'RocksDB option (KB)'),
  maxBytesForLevelBase: int('storage.dbSettings.maxBytesForLevelBase', 256, 'RocksDB option (MB)'),
  maxBytesForLevelMultiplier: double('storage.dbSettings.maxBytesForLevelMultiplier', 10, 'RocksDB option'),
  level0FileNumCompactionTrigger: int('storage.dbSettings.level0FileNumCompactionTrigger', 2, 'RocksDB option'),
  targetFileSizeBase: long('storage.dbSettings.targetFileSizeBase', 64, 'RocksDB option (MB)'),
  targetFileSizeMultiplier: int('storage.dbSettings.targetFileSizeMultiplier', 1, 'RocksDB option'),
};

/** Settings of RocksDB, as release 4.8.2 reads them. */
export const laterDbSettings = {
  ...SETTINGS,
  maxBytesForLevelBase: long('storage.dbSettings.maxBytesForLevelBase', 256, 'RocksDB option (MB)'),
  maxOpenFiles: int('storage.dbSettings.maxOpenFiles', 5000, 'RocksDB option; since release 4.8.2'),
};

const BACKUP = {
  enable: bool('storage.backup.enable', false, 'enables RocksDB backups in java-tron; without effect'),
  propPath: textKey(
    'storage.backup.propPath',
    'prop.properties',
    'file that contains the name of the valid backup; without effect',
  ),
  bak1path: textKey('storage.backup.bak1path', 'bak1/database/', 'first backup folder; without effect'),
  bak2path: textKey(
    'storage.backup.bak2path',
    'bak2/database/',
    'second backup folder, which must differ from the first; without effect',
  ),
  frequency: int('storage.backup.frequency', 10_000, 'number of blocks between two backups, above 0; without effect'),
};

/** Settings of RocksDB. They are read only if `storage.db.engine` is ROCKSDB. */
export const rocksDbRow: ConfigKey<RocksDb | undefined> = rocksDb();

function rocksDb(): ConfigKey<RocksDb | undefined> {
  const engine = described(
    'storage.dbSettings',
    'object',
    'absent',
    'RocksDB options of java-tron, read only if storage.db.engine is ROCKSDB; without effect',
  );
  const also: readonly Described[] = [
    ...Object.values(SETTINGS),
    laterDbSettings.maxOpenFiles,
    described(
      'storage.backup',
      'object',
      'absent',
      'RocksDB backups of java-tron, read only if storage.db.engine is ROCKSDB; without effect',
    ),
    ...Object.values(BACKUP),
  ];
  const read = (source: ConfigSource): RocksDb | undefined => {
    const engine = source.value('storage.db.engine');
    if (engine === undefined || asText(engine, 'storage.db.engine').toUpperCase() !== 'ROCKSDB') return undefined;
    const backup = readBackup(source);
    for (const setting of Object.values(SETTINGS)) setting.read(source);
    const levelNumber = SETTINGS.levelNumber.read(source);
    return { levelNumber, compactThreads: SETTINGS.compactThreads.read(source), ...(backup && { backup }) };
  };
  return { ...engine, also, read };
}

/**
 * Reads the backup settings. Reference: DbBackupConfig.initArgs.
 * @throws {UsageError} a value is invalid; the text is that of java-tron
 */
function readBackup(source: ConfigSource): RocksDb['backup'] {
  if (!BACKUP.enable.read(source)) return undefined;
  const propPath = BACKUP.propPath.read(source);
  const folder = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  const paths = [folder(BACKUP.bak1path.read(source)), folder(BACKUP.bak2path.read(source))] as const;
  const frequency = BACKUP.frequency.read(source);
  if (!isFolderPossible(dirname(resolve(propPath)))) throw new UsageError(`failure to create file:${propPath}`);
  const impossible = paths.find((path) => !isFolderPossible(path));
  if (impossible !== undefined) throw new UsageError(`failure to mkdir: ${impossible}`);
  if (paths[0] === paths[1]) throw new UsageError('bak1path and bak2path must be different.');
  if (frequency <= 0) throw new UsageError('frequency must be positive number.');
  return { propPath, paths, frequency };
}
