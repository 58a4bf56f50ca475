import type { CommandRow } from '../command-row.js';
import { LOG_LEVEL } from './shared-options.js';

/** Commands that run a node or a private network. */
export const nodeRows = [
  {
    name: 'run',
    summary: "Run the node (default command); accepts java-tron's command line flags",
    usage: ['[run] [options] [<ip:port> …]', 'run --solidity [options]', 'run --source <address> [options]'],
    words: [{ name: '<ip:port>', doc: 'Seed node; replaces seed.node.ip.list', isOptional: true, isRepeated: true }],
    options: [
      {
        names: ['--source'],
        value: '<address>',
        doc: 'Run as a read replica of the log topic of another node: kafka://<bootstrap>/<prefix>',
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
      'If a flag is not given, its configuration key applies. With tronicle.release 4.7.2, some flags are used only if their key is missing. In later releases every flag overrides its key.',
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
      {
        names: ['--block-time'],
        value: '<ms>',
        doc: 'Time between blocks, 20 to 3000, set when the network is created',
        fallback: '3000',
      },
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
        doc: 'Bootstrap server of Kafka; the node sends one record per transaction',
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
        fallback: 'ten built-in test keys',
      },
      LOG_LEVEL,
    ],
    flags: [],
    examples: ['tronicle devnet --data data/devnet --fresh --block-time 200'],
  },
] as const satisfies readonly CommandRow[];
