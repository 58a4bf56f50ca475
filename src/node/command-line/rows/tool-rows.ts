import type { CommandRow } from '../command-row.js';
import { CONFIG_AND_DATA_FLAGS, DATA_FLAGS } from './shared-options.js';

/** Commands for a running node, keys, checks, tests and the shell. */
export const toolRows = [
  {
    name: 'stream',
    summary: 'List and change sinks of a running node; send the records of past blocks again',
    usage: [
      'stream list [options]',
      'stream add <file> [options]',
      'stream pause|resume|remove <sink> [options]',
      'stream filter <sink> <file> [options]',
      'stream backfill --from <height> --topic <trigger> [options]',
      'stream schema [--topic <trigger> [--avro]]',
    ],
    words: [
      {
        name: '<action>',
        doc: 'Operation on sinks, or on their records',
        choices: ['list', 'add', 'pause', 'resume', 'remove', 'filter', 'backfill', 'schema'],
      },
      {
        name: '<sink>',
        doc: 'Name of the sink',
        isOptional: true,
      },
      {
        name: '<file>',
        doc: 'For add: JSON file with one sink, as an element of tronicle.sinks. For filter: JSON file with the new filter',
        isOptional: true,
      },
    ],
    options: [
      { names: ['--watch'], doc: 'list: print the table again every two seconds' },
      { names: ['--json'], doc: 'list: print JSON', fallback: 'on if the output is not a terminal, otherwise off' },
      { names: ['--from'], value: '<height>', doc: 'backfill: first block', fallback: 'required for backfill' },
      { names: ['--to'], value: '<height>', doc: 'backfill: last block', fallback: 'the newest block' },
      {
        names: ['--topic'],
        value: '<trigger>',
        doc: 'backfill and schema: event trigger whose records are sent or described, such as block or transaction; not the name of a Kafka topic',
        fallback: 'required for backfill; schema: all triggers',
      },
      { names: ['--avro'], doc: 'schema: print the Avro schema of the trigger, instead of its JSON Schema' },
      { names: ['--sink'], value: '<sink>', doc: 'backfill: sink to use', fallback: 'the first configured sink' },
      {
        names: ['--into'],
        value: '<target>',
        doc: 'backfill: Kafka topic, PostgreSQL schema or file to write to',
        fallback: 'the target of the sink',
      },
    ],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: [
      'tronicle stream list -d data --watch',
      'tronicle stream backfill -c my.conf -d data --from 1 --to 1000 --topic block --sink kafka --into past',
      'tronicle stream schema --topic transfer',
    ],
    notes: [
      'On a terminal, list prints a table. The lag is the number of blocks between the head and the last block that was forwarded to the sink.',
      'The command sends requests to the admin address of the running node (tronicle.admin). Without a running node, only schema and backfill with --to work.',
      'Without --into, backfill writes to the same target as the sink. The consumers of that target then receive these blocks again.',
      'With --topic, schema prints the JSON Schema of the records of a trigger. Without --topic, schema prints an AsyncAPI document of all Kafka topics.',
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
      'keystore export-protection <file> [--force] [-d <folder>]',
      'keystore import-protection <file> [-d <folder>]',
    ],
    words: [
      {
        name: '<action>',
        doc: 'Operation on key files or on the double-sign protection (the newest block that each witness signed)',
        choices: ['new', 'import', 'list', 'update', 'export-protection', 'import-protection'],
      },
      {
        name: '<address|file>',
        doc: 'For update: address of the key. For export-protection: file to write. For import-protection: file to read',
        isOptional: true,
      },
    ],
    options: [
      { names: ['--keystore-dir'], value: '<folder>', doc: 'Folder of the key files', fallback: 'Wallet' },
      {
        names: ['--password-file'],
        value: '<file>',
        doc: 'File with the password. For update: the current password on line 1, the new password on line 2',
        fallback: 'read from the terminal',
      },
      {
        names: ['--key-file'],
        value: '<file>',
        doc: 'import: file with the private key as hex',
        fallback: 'read from the terminal',
      },
      {
        names: ['--force'],
        doc: 'import: add a second key file for an address that already has a key file in the folder. export-protection: replace an existing file',
      },
      { names: ['--json'], doc: 'Print JSON' },
    ],
    flags: DATA_FLAGS,
    examples: [
      'tronicle keystore new --password-file password.txt',
      'tronicle keystore export-protection signed.json -d data',
    ],
    notes: [
      'SM2 keys are not supported.',
      'The double-sign protection stores the newest block that each witness signed, so that no witness signs two blocks for one slot. For each witness, import-protection compares the block in the file with the block in the data folder, and keeps the newer block. Stop the node before export-protection and import-protection. Both actions use the data folder of -d. The other actions do not use -d.',
    ],
  },
  {
    name: 'status',
    summary: 'Print release, head, solidified block, state digest and projections',
    usage: ['status [options]'],
    words: [],
    options: [{ names: ['--digests'], doc: 'Read all rows and also print a SHA-256 of each projection' }],
    flags: CONFIG_AND_DATA_FLAGS,
    examples: ['tronicle status -d data'],
    notes: [
      'For each projection of the state (a group of tables), the command prints the log position, the number of rows and a checksum of the rows. If two nodes have different states at the same height, at least one checksum differs.',
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
    flags: [...CONFIG_AND_DATA_FLAGS, '--p2p-disable'],
    examples: ['tronicle doctor -c my.conf -d data --json'],
    notes: [
      'doctor starts no node. Use --p2p-disable true to check a node that runs without peers: doctor then skips the ports for peers.',
    ],
  },
  {
    name: 'test-driver',
    summary: 'Run a node that a test program controls with JSON lines',
    usage: ['test-driver --data <folder> [options]'],
    words: [],
    options: [
      { names: ['--data'], value: '<folder>', doc: 'Data folder', fallback: 'required' },
      { names: ['--no-repush'], doc: 'Do not execute pending transactions again after a block (java-tron: repush)' },
    ],
    flags: ['--config'],
    examples: ['tronicle test-driver --config test.conf --data /tmp/drive'],
    notes: [
      'The command reads one JSON request per line and prints one JSON answer per line. The command also accepts the flags of java-tron. `drive` is another name of this command.',
    ],
  },
  {
    name: 'completion',
    summary: 'Print the completion script for bash, zsh or fish',
    usage: ['completion bash|zsh|fish'],
    words: [{ name: '<shell>', doc: 'Shell that runs the script', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    flags: [],
    examples: ['tronicle completion bash'],
    notes: [
      'bash: add `source <(tronicle completion bash)` to ~/.bashrc. zsh: write the output to a file _tronicle in a completion folder of zsh. fish: write the output to ~/.config/fish/completions/tronicle.fish.',
    ],
  },
  {
    name: 'man',
    summary: 'Print the manual page tronicle(1)',
    usage: ['man'],
    words: [],
    options: [],
    flags: [],
    examples: ['tronicle man'],
    notes: ['`tronicle man | man -l -` shows the manual page.'],
  },
] as const satisfies readonly CommandRow[];
