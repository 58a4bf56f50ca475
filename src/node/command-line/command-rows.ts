import { LOG_LEVELS } from '../../config/log-levels.js';
import type { CommandRow } from './command-row.js';

/** Number of blocks that `bootstrap` imports with receipts by default: as many as a lite node of java-tron has. */
export const HISTORY_BLOCKS = 65_536;
/** Default rate of `backup`, in bytes per second. */
export const BACKUP_RATE = 104_857_600;

const CONFIG_AND_DATA = ['--config', '--output-directory'] as const;
const DATA = ['--output-directory'] as const;

const LOG_LEVEL = {
  names: ['--log-level'],
  value: '<level>',
  doc: 'Lowest level of the lines in the log; wins over TRONICLE_LOG_LEVEL and tronicle.log.level',
  fallback: 'info',
  choices: LOG_LEVELS,
} as const;

/** Options of the commands that take long. */
const OUTPUT = [
  { names: ['--json'], doc: 'Print the result as one JSON object, also on a terminal' },
  { names: ['--quiet'], doc: 'Print no progress and no summary, and log only warnings' },
] as const;

/** All commands, in the order of the help. */
export const commandRows = [
  {
    name: 'run',
    summary: "Run the node (default command); accepts java-tron's command line flags",
    usage: ['[run] [options] [<ip:port> …]', 'run --solidity [options]', 'run --source <address> [options]'],
    words: [{ name: '<ip:port>', doc: 'Seed node; replaces seed.node.ip.list', isOptional: true, isRepeated: true }],
    options: [
      {
        names: ['--source'],
        value: '<address>',
        doc: 'Run as a read replica of the log topic at kafka://<bootstrap>/<prefix>, or of another source',
        fallback: 'tronicle.source of the configuration',
      },
      {
        names: ['--submit'],
        value: '<url>',
        doc: 'HTTP address of the node that receives the transactions of a replica',
        fallback: 'transactions are refused',
      },
      {
        names: ['--private-key-file'],
        value: '<file>',
        doc: 'File with the private key of the witness on its first line; unlike --private-key, hidden from ps',
      },
      {
        names: ['--password-file'],
        value: '<file>',
        doc: 'File with the password of the keystore file on its first line; unlike --password, hidden from ps',
      },
      LOG_LEVEL,
    ],
    flags: 'all',
    examples: [
      'tronicle run -c config/main.conf -d data',
      'tronicle run -c replica.conf -d replica --source kafka://broker:9092/tronicle --submit http://node:8090',
    ],
    notes: [
      'A read replica follows the log topic of another node, executes nothing, and forwards transactions.',
      'If a flag belongs to a configuration key, the key is the default. Since release 4.8.2 all such flags win over their keys.',
    ],
  },
  {
    name: 'devnet',
    summary: 'Run a private network: one witness, funded accounts, all APIs (npm start)',
    usage: ['devnet [options]'],
    words: [],
    options: [
      { names: ['-d', '--data'], value: '<folder>', doc: 'Data folder', fallback: 'data/devnet' },
      { names: ['--fresh'], doc: 'Delete the network of the data folder first' },
      { names: ['--block-time'], value: '<ms>', doc: 'Time between blocks, 20 to 3000', fallback: '3000' },
      {
        names: ['--host'],
        value: '<address>',
        doc: 'Listen address of all ports except that of the admin server; 0.0.0.0 for all interfaces',
        fallback: '127.0.0.1, this machine only',
      },
      {
        names: ['--port-base'],
        value: '<port>',
        doc: 'First of 13 ports: HTTP (head, solidified, PBFT), JSON-RPC (the same), gRPC (the same), status page, admin server, light clients, Prometheus',
        fallback: 'the ports of the README',
      },
      {
        names: ['--kafka'],
        value: '<bootstrap>',
        doc: 'Bootstrap server of Kafka, for one record per transaction',
        fallback: 'no Kafka',
      },
      {
        names: ['--release'],
        value: '<release>',
        doc: 'java-tron release to emulate, set when the network is created',
        fallback: '4.8.2.3',
      },
      {
        names: ['--chain-id'],
        value: '<number>',
        doc: 'Chain id of eth_chainId and CHAINID, set when the network is created',
        fallback: '1337',
      },
      {
        names: ['--accounts'],
        value: '<count>',
        doc: 'Number of funded accounts, 1 to 1000, set when the network is created',
        fallback: '10',
      },
      {
        names: ['--mnemonic'],
        value: '<words>',
        doc: "BIP-39 words of the funded accounts, path m/44'/195'/0'/0/<index>, set when the network is created",
        fallback: 'ten known keys',
      },
      LOG_LEVEL,
    ],
    flags: [],
    examples: ['tronicle devnet --data data/devnet --fresh --block-time 200'],
  },
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
      { names: ['--sinks'], doc: 'Open the sinks of the configuration and forward the blocks during the import' },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle import blocks.tron -d data --until 500000'],
    notes: ['Without --sinks, a sink forwards the imported blocks at the next start of the node.'],
  },
  {
    name: 'bootstrap',
    summary: 'Convert a java-tron data folder or archive; resumes after a stop',
    usage: ['bootstrap <source> [options]'],
    words: [
      { name: '<source>', doc: 'Data folder of java-tron, .tgz archive of one, or - for an archive on standard input' },
    ],
    options: [
      {
        names: ['--history'],
        value: '<blocks>',
        doc: 'Number of blocks to import with receipts, all, or none',
        fallback: String(HISTORY_BLOCKS),
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle bootstrap /var/lib/java-tron/output-directory -d data --history 100000'],
    notes: ['Reads LevelDB or RocksDB data, full or lite, and never changes it.'],
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
        doc: 'First block to execute; the state before it must be retained',
        fallback: 'the start of the log',
      },
      {
        names: ['--projection'],
        value: '<name>',
        doc: 'Rebuild one projection in a temporary folder and compare it with the stored rows',
        fallback: 'the whole state',
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle replay -d data --from 400000', 'tronicle replay -d data --projection contracts'],
    notes: [
      'With --projection, the node may run. The exit code is 1 if a row differs; the first one is named. `tronicle status` lists the projections.',
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
    flags: CONFIG_AND_DATA,
    examples: ['tronicle prune --keep 100000 -d data'],
    notes: [
      'Stop the node first. A running node with tronicle.log.retention does the same gradually. Blocks that a sink or a projection has not read are kept.',
      'A pruned folder cannot be replayed from genesis: keep a backup, or the snapshot that it was created from.',
    ],
  },
  {
    name: 'compact',
    summary: 'Rewrite the databases of a data folder to free disk space',
    usage: ['compact [options]'],
    words: [],
    options: [...OUTPUT],
    flags: DATA,
    examples: ['tronicle compact -d data'],
    notes: [
      'Stop the node first. The command verifies the folder, then copies one database after the other, compares the copy with the original and replaces the original in one step. If it is killed or the disk is full, the original stays.',
    ],
  },
  {
    name: 'backup',
    summary: 'Copy a consistent snapshot of a data folder, even while its node runs',
    usage: ['backup <target> [options]'],
    words: [{ name: '<target>', doc: 'Folder of the copy; it must be missing or empty' }],
    options: [
      {
        names: ['--rate'],
        value: '<bytes/s>',
        doc: 'Maximum number of bytes per second, or off',
        fallback: String(BACKUP_RATE),
      },
      ...OUTPUT,
    ],
    flags: DATA,
    examples: ['tronicle backup /backup/monday -d data --rate off'],
    notes: [
      'Free space cannot be reused in the files of a running node during the copy, so they grow. Sink cursors are copied too: if the copy runs next to the original, give it other sinks.',
    ],
  },
  {
    name: 'verify',
    summary: 'Verify the log (hash chain, checksums) and the state digest of a data folder',
    usage: ['verify [options]'],
    words: [],
    options: [...OUTPUT],
    flags: DATA,
    examples: ['tronicle verify -d /backup/monday'],
  },
  {
    name: 'reconcile',
    summary: 'Sum all transfer records and compare them with the balances of the state',
    usage: ['reconcile [options]'],
    words: [],
    options: [
      { names: ['--account'], value: '<address>', doc: 'Compare only this account', fallback: 'all accounts' },
      { names: ['--from'], value: '<height>', doc: 'First block of the range', fallback: 'the whole chain' },
      { names: ['--to'], value: '<height>', doc: 'Last block of the range', fallback: 'the newest block' },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle reconcile -d data --account TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    notes: [
      'Covers TRX and TRC10 assets. Prints a line of JSON per balance that differs, then one with the number of records by kind; with --json, one object of both. The exit code is 1 if a balance differs.',
      'Pruned row changes are made by executing the blocks again. While the node runs, the default range is the blocks with retained row changes (tronicle.history.retention) up to the solidified block.',
    ],
  },
  {
    name: 'export',
    summary: 'Write blocks to a compact file, or state rows (--state) as JSON lines',
    usage: ['export <file> [options]', 'export --java <folder> [options]'],
    words: [{ name: '<file>', doc: 'File to write; an existing file is replaced', isOptional: true }],
    options: [
      { names: ['--until'], value: '<height>', doc: 'Last block to export', fallback: 'the head' },
      { names: ['--state'], doc: 'Write the rows of the state instead of the blocks' },
      {
        names: ['--java'],
        value: '<folder>',
        doc: 'Write the head and the recent blocks to a LevelDB folder from which java-tron can continue',
      },
      ...OUTPUT,
    ],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle export blocks.tron -d data --until 500000', 'tronicle export --java leveldb -d data'],
  },
  {
    name: 'stream',
    summary: 'List and change sinks of a running node; backfill a topic from a height',
    usage: [
      'stream list [options]',
      'stream add <file> [options]',
      'stream pause|resume|remove <sink> [options]',
      'stream filter <sink> <file> [options]',
      'stream backfill --from <height> --topic <trigger> [options]',
      'stream schema [--topic <trigger>]',
    ],
    words: [
      {
        name: '<action>',
        doc: 'Request to the running node; schema needs no node',
        choices: ['list', 'add', 'pause', 'resume', 'remove', 'filter', 'backfill', 'schema'],
      },
      {
        name: '<sink>',
        doc: 'Name of a sink; for add, a file with one element of tronicle.sinks as JSON',
        isOptional: true,
      },
      { name: '<file>', doc: 'File with the filter as JSON', isOptional: true },
    ],
    options: [
      { names: ['--watch'], doc: 'list: print the table again every two seconds' },
      { names: ['--json'], doc: 'list: print JSON, also on a terminal' },
      { names: ['--from'], value: '<height>', doc: 'backfill: first block' },
      { names: ['--to'], value: '<height>', doc: 'backfill: last block', fallback: 'the newest block' },
      {
        names: ['--topic'],
        value: '<trigger>',
        doc: 'backfill and schema: trigger of the records, such as block or transaction',
      },
      { names: ['--sink'], value: '<sink>', doc: 'backfill: sink to use', fallback: 'the first configured sink' },
      {
        names: ['--into'],
        value: '<target>',
        doc: 'backfill: Kafka topic, schema or file to write',
        fallback: 'the target of the sink',
      },
    ],
    flags: CONFIG_AND_DATA,
    examples: [
      'tronicle stream list -d data --watch',
      'tronicle stream backfill -c my.conf -d data --from 1 --to 1000 --topic block --sink kafka --into past',
      'tronicle stream schema --topic transfer',
    ],
    notes: [
      'On a terminal, list prints a table; otherwise JSON. The lag is the number of blocks between the head and the last block that the sink has forwarded.',
      'Sends requests to the admin address of the running node (tronicle.admin). Without a running node only backfill and schema work, and backfill needs --to.',
      'With --topic, schema prints the JSON Schema of the records of a trigger. Without it, it prints an AsyncAPI document of all Kafka topics.',
    ],
  },
  {
    name: 'keystore',
    summary: 'Create, import, list and re-encrypt key files of witnesses',
    usage: [
      'keystore new [options]',
      'keystore import [--key-file <file>] [--force] [options]',
      'keystore list [options]',
      'keystore update <address> [options]',
      'keystore export-protection <file> [-d <folder>]',
      'keystore import-protection <file> [-d <folder>]',
    ],
    words: [
      {
        name: '<action>',
        doc: 'Operation on key files or on their protection',
        choices: ['new', 'import', 'list', 'update', 'export-protection', 'import-protection'],
      },
      { name: '<address>', doc: 'Address of the key, or file of the protection', isOptional: true },
    ],
    options: [
      { names: ['--keystore-dir'], value: '<folder>', doc: 'Folder of the key files', fallback: 'Wallet' },
      {
        names: ['--password-file'],
        value: '<file>',
        doc: 'File with the password; for update, the current password on line 1 and the new one on line 2',
        fallback: 'read from the terminal',
      },
      {
        names: ['--key-file'],
        value: '<file>',
        doc: 'import: file with the private key as hex',
        fallback: 'read from the terminal',
      },
      { names: ['--force'], doc: 'import: add the key even if the folder has a file of the same address' },
      { names: ['--json'], doc: 'Print JSON' },
    ],
    flags: DATA,
    examples: [
      'tronicle keystore new --password-file password.txt',
      'tronicle keystore export-protection signed.json -d data',
    ],
    notes: [
      'SM2 keys are not supported.',
      'The protection is the newest signed block of each witness. The import keeps the newer one, and needs a stopped node.',
    ],
  },
  {
    name: 'status',
    summary: 'Print release, head, solidified block, state digest and projections',
    usage: ['status [options]'],
    words: [],
    options: [{ names: ['--digests'], doc: 'Read all rows and also print a SHA-256 of each projection' }],
    flags: CONFIG_AND_DATA,
    examples: ['tronicle status -d data'],
    notes: [
      'Each projection of the state has its log position, row count and a checksum of its rows. Nodes that disagree differ in a checksum.',
    ],
  },
  {
    name: 'doctor',
    summary: 'Check machine, ports, clock and data; exit code 1 if a finding is critical',
    usage: ['doctor [options]'],
    words: [],
    options: [
      {
        names: ['--ntp'],
        value: '<host[:port]>',
        doc: 'Time server for the check of the clock',
        fallback: 'pool.ntp.org',
      },
      { names: ['--json'], doc: 'Print the findings as JSON' },
    ],
    flags: [...CONFIG_AND_DATA, '--p2p-disable'],
    examples: ['tronicle doctor -c my.conf -d data --json'],
  },
  {
    name: 'test-driver',
    summary: 'Run the node for a test driver: JSON lines in, JSON lines out',
    usage: ['test-driver --config <file> --data <folder> [options]'],
    words: [],
    options: [
      { names: ['--data'], value: '<folder>', doc: 'Data folder', fallback: 'required' },
      { names: ['--no-repush'], doc: 'Do not execute pending transactions again after a block' },
    ],
    flags: ['--config'],
    examples: ['tronicle test-driver --config test.conf --data /tmp/drive'],
    notes: [
      'Reads one JSON request per line and prints one JSON answer per line. All flags of run apply. `drive` is an alias.',
    ],
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    usage: ['completion bash|zsh|fish'],
    words: [{ name: '<shell>', doc: 'Shell that runs the script', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    flags: [],
    examples: ['tronicle completion bash'],
    notes: [
      'bash: add `source <(tronicle completion bash)` to ~/.bashrc. zsh: write the output to a file _tronicle in a completion folder. fish: write it to ~/.config/fish/completions/tronicle.fish.',
    ],
  },
  {
    name: 'man',
    summary: 'Print the manual page; the package installs it as tronicle(1)',
    usage: ['man'],
    words: [],
    options: [],
    flags: [],
    examples: ['tronicle man'],
    notes: ['`tronicle man | man -l -` shows the page.'],
  },
] as const satisfies readonly CommandRow[];

/** Names of all commands as a union of literals, so that the compiler finds a command without a module. */
export type CommandName = (typeof commandRows)[number]['name'];

/** A row of the table. */
export type NamedCommand = CommandRow & { readonly name: CommandName };
