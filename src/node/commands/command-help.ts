import { UsageError } from '../../primitives/errors.js';
import { intendedWord } from '../../primitives/nearest-word.js';

/** Help of a command. It is separate from the command, so that printing help loads no command. */
interface CommandHelp {
  readonly name: string;
  /** One line, imperative, under 80 characters. */
  readonly summary: string;
  readonly usage: string;
}

/** Number of blocks that `bootstrap` imports with receipts by default: as many as a lite node of java-tron has. */
export const HISTORY_BLOCKS = 65_536;
/** Default rate of `backup`, in bytes per second. */
export const BACKUP_RATE = 104_857_600;

/** All commands, in the order of the help. */
export const commandRows = [
  {
    name: 'run',
    summary: "Run the node (default command); accepts java-tron's command line flags",
    usage: [
      'tronicle run [-c <config>] [-d <data folder>] [--witness] [--p2p-disable true] [--es] …',
      'tronicle run --solidity [--trust-node <host:port>] …',
      'tronicle run --source kafka://<bootstrap>/<prefix> [--submit <node url>] …',
      '',
      'With --source the node is a read replica: it follows the log topic of another node, executes nothing, and forwards transactions.',
    ].join('\n'),
  },
  {
    name: 'devnet',
    summary: 'Run a private network: one witness, funded accounts, all APIs (npm start)',
    usage: [
      'tronicle devnet [--data <folder>] [--fresh] [--block-time <ms>] [--host <address>] [--port-base <port>] [--kafka <bootstrap>]',
      '                [--release <release>] [--chain-id <number>] [--accounts <count>] [--mnemonic "<words>"]',
      '',
      '  --data       data folder (default data/devnet)',
      '  --fresh      delete the network of the data folder first',
      '  --block-time ms between blocks, 20 to 3000 (default 3000)',
      '  --host       listen address (default 127.0.0.1, this machine only; 0.0.0.0: all interfaces); not of the admin server',
      '  --port-base  first of 13 ports: HTTP, HTTP solidified, HTTP PBFT, JSON-RPC, JSON-RPC solidified, JSON-RPC PBFT, gRPC,',
      '               gRPC solidified, gRPC PBFT, status page, admin server, light clients, Prometheus',
      '  --kafka      bootstrap server of Kafka, for one record per transaction',
      '',
      'Set when a network is created, kept at later starts:',
      '',
      '  --release    java-tron release to emulate (default 4.8.2.3)',
      '  --chain-id   chain id of eth_chainId and CHAINID (default 1337)',
      '  --accounts   number of funded accounts, 1 to 1000 (default 10)',
      "  --mnemonic   BIP-39 words of the funded accounts, path m/44'/195'/0'/0/<index> (default: ten known keys)",
    ].join('\n'),
  },
  {
    name: 'import',
    summary: 'Import blocks from an export file or JSON lines; resumes after a stop',
    usage: [
      'tronicle import <file> [-c <config>] [-d <data folder>] [--until <height>] [--sinks]',
      '',
      'Opens no sink of the configuration, unless --sinks is given. A sink forwards the imported blocks at the next start of the node.',
    ].join('\n'),
  },
  {
    name: 'bootstrap',
    summary: 'Convert a java-tron data folder or archive; resumes after a stop',
    usage: [
      'tronicle bootstrap <folder | file.tgz | -> [-c <config>] [-d <data folder>] [--history <blocks>|all|none]',
      '',
      `Reads LevelDB or RocksDB data, full or lite, and never changes it. --history: blocks to import with receipts (default ${HISTORY_BLOCKS}).`,
    ].join('\n'),
  },
  {
    name: 'replay',
    summary: 'Rebuild the state from the log and compare the digest of every block',
    usage: [
      'tronicle replay [-c <config>] [-d <data folder>] [--from <height>]',
      'tronicle replay --projection <name> [-c <config>] [-d <data folder>]',
      '',
      'With --projection, rebuilds one projection of the state in a temporary folder and compares it with the stored rows. The node may run.',
      'The exit code is 1 if a row differs; the first one is named. `tronicle status` lists the projections.',
    ].join('\n'),
  },
  {
    name: 'prune',
    summary: 'Delete old blocks from the log; run compact afterwards to free disk space',
    usage: [
      'tronicle prune --keep <blocks> [-c <config>] [-d <data folder>]',
      '',
      'Stop the node first. A running node with tronicle.log.retention does the same gradually. Blocks that a sink or a projection has not read',
      'are kept. A pruned folder cannot be replayed from genesis: keep a backup, or the snapshot that it was created from.',
    ].join('\n'),
  },
  {
    name: 'compact',
    summary: 'Rewrite the databases of a data folder to free disk space',
    usage: [
      'tronicle compact [-d <data folder>]',
      '',
      'Stop the node first. The command verifies the folder, then copies one database after the other, compares the copy with the original and',
      'replaces the original in one step. If it is killed or the disk is full, the original stays.',
    ].join('\n'),
  },
  {
    name: 'backup',
    summary: 'Copy a consistent snapshot of a data folder, even while its node runs',
    usage: [
      'tronicle backup <target folder> [-d <data folder>] [--rate <bytes per second> | --rate off]',
      '',
      `The target must be missing or empty. The default rate is ${BACKUP_RATE} bytes per second. Free space cannot be reused in the files of a`,
      'running node during the copy, so they grow. Sink cursors are copied too: if the copy runs next to the original, give it other sinks.',
    ].join('\n'),
  },
  {
    name: 'verify',
    summary: 'Verify the log (hash chain, checksums) and the state digest of a data folder',
    usage: 'tronicle verify [-d <data folder>]',
  },
  {
    name: 'reconcile',
    summary: 'Sum all transfer records and compare them with the balances of the state',
    usage: [
      'tronicle reconcile [--account <address>] [--from <height>] [--to <height>] [-c <config>] [-d <data folder>]',
      '',
      'Covers TRX and TRC10 assets. Prints a line of JSON per balance that differs, then a summary with the number of records by kind. The exit',
      'code is 1 if a balance differs. The default range is the whole chain; pruned row changes are made by executing the blocks again. While the',
      'node runs, it is the blocks with retained row changes (tronicle.history.retention) up to the solidified block.',
    ].join('\n'),
  },
  {
    name: 'export',
    summary: 'Write blocks to a compact file, or state rows (--state) as JSON lines',
    usage: [
      'tronicle export <file> [-d <data folder>] [--until <height>] [--state]',
      'tronicle export --java <folder> [-c <config>] [-d <data folder>]',
      '',
      'With --java, writes the head and the recent blocks to a LevelDB folder from which java-tron can continue.',
    ].join('\n'),
  },
  {
    name: 'stream',
    summary: 'List and change sinks of a running node; backfill a topic from a height',
    usage: [
      'tronicle stream list [-c <config>] [-d <data folder>]',
      'tronicle stream add <file with one element of tronicle.sinks as JSON>',
      'tronicle stream pause|resume|remove <sink>',
      'tronicle stream filter <sink> <file with the filter as JSON>',
      'tronicle stream backfill --from <height> [--to <height>] --topic <trigger> [--sink <sink>] [--into <Kafka topic, schema or file>]',
      '',
      'Sends requests to the admin address of the running node (tronicle.admin). Without a running node only backfill works, and needs --to.',
    ].join('\n'),
  },
  {
    name: 'keystore',
    summary: 'Create, import, list and re-encrypt key files of witnesses',
    usage: [
      'tronicle keystore new    [--keystore-dir <folder>] [--password-file <file>] [--json]',
      'tronicle keystore import [--keystore-dir <folder>] [--password-file <file>] [--json] [--key-file <file>] [--force]',
      'tronicle keystore list   [--keystore-dir <folder>] [--json]',
      'tronicle keystore update <address> [--keystore-dir <folder>] [--password-file <file>] [--json]',
      'tronicle keystore export-protection <file> [-d <data folder>]',
      'tronicle keystore import-protection <file> [-d <data folder>]',
      '',
      'The default folder is ./Wallet. Passwords and keys are read from the terminal, unless a file is named. The password file of `update` has',
      'the current password on line 1 and the new one on line 2. SM2 keys are not supported.',
      'The protection is the newest signed block of each witness. The import keeps the newer one, and needs a stopped node.',
    ].join('\n'),
  },
  {
    name: 'status',
    summary: 'Print release, head, solidified block, state digest and projections',
    usage: [
      'tronicle status [-c <config>] [-d <data folder>] [--digests]',
      '',
      'Each projection of the state has its log position, row count and a checksum of its rows. Nodes that disagree differ in a checksum.',
      'With --digests, the command reads all rows and also prints a SHA-256 of each projection.',
    ].join('\n'),
  },
  {
    name: 'doctor',
    summary: 'Check machine, ports, clock and data; exit code 1 if a finding is critical',
    usage: 'tronicle doctor [-c <config>] [-d <data folder>] [--p2p-disable true] [--ntp <host[:port]>] [--json]',
  },
  {
    name: 'test-driver',
    summary: 'Run the node for a test driver: JSON lines in, JSON lines out',
    usage: [
      'tronicle test-driver --config <file> --data <folder> [--no-repush] [flags of run]',
      '',
      'Reads one JSON request per line and prints one JSON answer per line. --no-repush: do not execute pending transactions again after a block.',
    ].join('\n'),
  },
] as const satisfies readonly CommandHelp[];

/**
 * One row of the table. The type of `name` is a union of literals, so the compiler finds a command without a module.
 */
export type NamedCommand = (typeof commandRows)[number];

/** Former names that still work: recorded test runs use `drive`. */
const ALIASES: Readonly<Record<string, string>> = { drive: 'test-driver' };

/** Returns the command of a name, or undefined. */
export function findCommand(name: string): NamedCommand | undefined {
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return commandRows.find((row) => row.name === known);
}

/** Error for wrong arguments of a command. Its exit code says that the command did nothing. */
export class CommandUsageError extends UsageError {
  override readonly exitCode = 2;

  /** Creates the error that prints the usage of a command. */
  static of(name: string): CommandUsageError {
    return new CommandUsageError(findCommand(name)?.usage ?? name);
  }
}

/**
 * Refuses a first argument that is neither a command nor a flag nor an address of a seed node.
 * @throws {CommandUsageError} names the command that is spelt most like it
 */
export function refuseMistypedCommand(word: string): void {
  if (word === '' || word.startsWith('-') || /[.:[]/.test(word)) return;
  const intended = intendedWord(
    word,
    commandRows.map(({ name }) => name),
  );
  const hint = intended === undefined ? '' : `did you mean '${intended}'? `;
  throw new CommandUsageError(`unknown command '${word}': ${hint}run 'tronicle --help' for the list`);
}
