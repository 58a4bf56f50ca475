import type { CommandRow } from '../command-row.js';
import { CONFIG_AND_DATA_FLAGS, DATA_FLAGS, OUTPUT } from './shared-options.js';

/**
 * Default number of blocks that `bootstrap` imports with their transactions and receipts. A lite node of java-tron
 * stores the same number of blocks.
 */
export const HISTORY_BLOCKS = 65_536;
/** Default rate of `backup`, in bytes per second. */
export const BACKUP_RATE = 104_857_600;

/** Commands that only read a data folder, and commands that change a data folder in which no node runs. */
export const dataRows = [
  {
    name: 'import',
    summary: 'Import blocks from an export file or JSON lines; resumes after a stop',
    usage: ['import <file> [options]'],
    words: [{ name: '<file>', doc: "File of 'tronicle export', or JSON lines, plain or gzip" }],
    options: [
      {
        names: ['--until'],
        value: '<height>',
        doc: 'Last block to import',
        fallback: 'the last block of the file',
      },
      { names: ['--sinks'], doc: 'Forward the blocks to the configured sinks during the import' },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle import blocks.tron -d data --until 500000'],
    notes: [
      'Without --sinks, the sinks forward the imported blocks after the next start of the node.',
      'If a block of the file is invalid, the import stops. The blocks before this block remain in the data folder, even if the import created the folder. The error message contains the height of the last imported block. Correct the file and run the same command again to continue after this height.',
    ],
  },
  {
    name: 'bootstrap',
    summary: 'Convert a java-tron data folder or archive; resumes after a stop',
    usage: ['bootstrap <source> [options]'],
    words: [
      {
        name: '<source>',
        doc: 'Data folder of java-tron, or a .tgz archive of such a folder. Use `-` to read an archive from the standard input',
      },
    ],
    options: [
      {
        names: ['--history'],
        value: '<blocks>',
        doc: 'Number of newest blocks to import with transactions and receipts, or the word "all" or "none". The blocks from the solidified block to the head are always imported. Older blocks are not imported, except the ids of blocks and transactions if the block is one of the newest 65,536',
        fallback: String(HISTORY_BLOCKS),
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle bootstrap /var/lib/java-tron/output-directory -d data --history 100000'],
    notes: ['The command reads LevelDB or RocksDB data of a full node or a lite node. The source stays unchanged.'],
  },
  {
    name: 'replay',
    summary: 'Rebuild the state from the log and compare the digest of every block',
    usage: ['replay [--from <height>] [options]', 'replay --projection <name> [options]'],
    words: [],
    options: [
      {
        names: ['--from'],
        value: '<height>',
        doc: 'First block to execute. The row changes (old and new values of state rows) of this block and of all later blocks must be stored; see tronicle.history.retention',
        fallback: 'the start of the log',
      },
      {
        names: ['--projection'],
        value: '<name>',
        doc: 'Rebuild one projection in a temporary folder and compare its rows with the stored rows, which stay unchanged',
        fallback: 'rebuild the whole state',
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle replay -d data --from 400000', 'tronicle replay -d data --projection contracts'],
    notes: [
      'Without --projection, the rebuilt state replaces the stored state if all digests match. Stop the node first, except with --projection. If a rebuilt row differs from the stored row, --projection prints the first mismatched row and exits with code 1. `tronicle status` lists the projections.',
    ],
  },
  {
    name: 'prune',
    summary: 'Delete old blocks from the log; run compact afterwards to free disk space',
    usage: ['prune --keep <blocks> [options]'],
    words: [],
    options: [
      { names: ['--keep'], value: '<blocks>', doc: 'Number of blocks to keep', fallback: 'required' },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle prune --keep 100000 -d data'],
    notes: [
      'Stop the node first. To delete old blocks while the node runs, set tronicle.log.retention. The command and the node keep every block that a sink or an index has not read yet.',
      'A pruned folder cannot be replayed from genesis. Keep a backup, or the java-tron data from which the folder was converted.',
    ],
  },
  {
    name: 'compact',
    summary: 'Rewrite the databases of a data folder to free disk space',
    usage: ['compact [options]'],
    words: [],
    options: [...OUTPUT],
    flags: DATA_FLAGS,
    examples: ['tronicle compact -d data'],
    notes: [
      'Stop the node first. The command verifies the folder. For each database, the command writes a copy, compares the copy with the original, and replaces the original. If the command is killed or the disk is full, the original stays intact.',
    ],
  },
  {
    name: 'backup',
    summary: 'Copy a consistent snapshot of a data folder, even while its node runs',
    usage: ['backup <target> [options]'],
    words: [{ name: '<target>', doc: 'Folder of the copy. The folder must be empty or not exist' }],
    options: [
      {
        names: ['--rate'],
        value: '<bytes/s>',
        doc: 'Maximum copy rate in bytes per second, or the word "off" for no limit',
        fallback: String(BACKUP_RATE),
      },
      ...OUTPUT,
    ],
    flags: DATA_FLAGS,
    examples: ['tronicle backup /backup/monday -d data --rate off'],
    notes: [
      'During the copy, a running node cannot reuse free space, so its files grow. The copy contains the positions of the sinks. Before you start a second node on the copy, give the second node other sink names. Otherwise both nodes write to the same targets from the same positions.',
    ],
  },
  {
    name: 'verify',
    summary: 'Verify the log (hash chain, checksums) and the state digest of a data folder',
    usage: ['verify [options]'],
    words: [],
    options: [...OUTPUT],
    flags: DATA_FLAGS,
    examples: ['tronicle verify -d /backup/monday'],
    notes: ['The node may run during the check.'],
  },
  {
    name: 'reconcile',
    summary: 'Sum all transfer records and compare them with the balances of the state',
    usage: ['reconcile [options]'],
    words: [],
    options: [
      { names: ['--account'], value: '<address>', doc: 'Compare only this account', fallback: 'all accounts' },
      {
        names: ['--from'],
        value: '<height>',
        doc: 'First block of the range',
        fallback: 'the start of the chain; see below for a running node',
      },
      {
        names: ['--to'],
        value: '<height>',
        doc: 'Last block of the range',
        fallback: 'the newest block; see below for a running node',
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle reconcile -d data --account TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    notes: [
      'The command covers TRX and TRC10 assets. For each mismatched balance, the command prints one line of JSON. The last line contains the number of records by kind. With --json, the command prints one object instead of the lines. The exit code is 1 if a balance does not match.',
      'If the row changes of a block are pruned, the command executes the block again. While the node runs, the default range contains only blocks with stored row changes (tronicle.history.retention), and ends at the solidified block.',
    ],
  },
  {
    name: 'export',
    summary: 'Write blocks or state rows (--state) to a file, or a java-tron folder (--java)',
    usage: ['export <file> [options]', 'export --java <folder> [options]'],
    words: [
      {
        name: '<file>',
        doc: 'File to write. Until the file is complete, its name ends with .part',
        isOptional: true,
      },
    ],
    options: [
      {
        names: ['--until'],
        value: '<height>',
        doc: 'Last block to export. With --state: block whose state is written. Not allowed with --java',
        fallback: 'the head',
      },
      { names: ['--state'], doc: 'Write the rows of the state as JSON lines instead of the blocks' },
      {
        names: ['--java'],
        value: '<folder>',
        doc: 'Write a LevelDB folder for java-tron. It contains the state after the head block, and the last 65,536 blocks',
      },
      { names: ['--force'], doc: 'Replace an existing file. Not allowed with --java' },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle export blocks.tron -d data --until 500000', 'tronicle export --java leveldb -d data'],
  },
] as const satisfies readonly CommandRow[];
