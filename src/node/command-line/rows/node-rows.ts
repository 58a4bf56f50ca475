import type { CommandRow } from '../command-row.js';
import { LOG_LEVEL } from './shared-options.js';

/** Commands that run a node or a private network. */
export const nodeRows = [
  {
    name: 'run',
    summary: "Run the node (default command); accepts java-tron's command line flags",
    usage: ['[run] [options] [<ip:port> …]', 'run --solidity [options]', 'run --source <address> [options]'],
    words: [
      {
        name: '<ip:port>',
        doc: 'Addresses of seed nodes. These addresses replace seed.node.ip.list',
        isOptional: true,
        isRepeated: true,
      },
    ],
    options: [
      {
        names: ['--source'],
        value: '<address>',
        doc: "Run as a read replica that follows another node's log in Kafka. Form of the address: kafka://<bootstrap>/<prefix>",
        fallback: 'tronicle.source of the configuration',
      },
      {
        names: ['--submit'],
        value: '<url>',
        doc: 'HTTP address of the node to which a replica forwards submitted transactions',
        fallback: 'tronicle.source.submit of the configuration; without both, the replica rejects transactions',
      },
      {
        names: ['--private-key-file'],
        value: '<file>',
        doc: 'File with the private key of the witness on its first line; not visible in the process list',
      },
      {
        names: ['--password-file'],
        value: '<file>',
        doc: 'File with the password of the keystore file on its first line; not visible in the process list',
      },
      LOG_LEVEL,
    ],
    flags: 'all',
    examples: [
      'tronicle run -c config/main.conf -d data',
      'tronicle run -c replica.conf -d replica --source kafka://broker:9092/tronicle --submit http://node:8090',
    ],
    notes: [
      'A read replica serves all APIs from the log of another node and executes no blocks. A read replica forwards submitted transactions to the node of --submit.',
      'A flag overrides its key in the configuration file, unless the help of the flag says otherwise.',
    ],
  },
  {
    name: 'devnet',
    summary: 'Run a private network with one witness, funded accounts and all APIs',
    usage: ['devnet [options]'],
    words: [],
    options: [
      { names: ['-d', '--data'], value: '<folder>', doc: 'Data folder', fallback: 'data/devnet' },
      { names: ['--fresh'], doc: 'Delete the chain in the data folder before the start' },
      {
        names: ['--block-time'],
        value: '<ms>',
        doc: 'Time between two blocks in ms, 20 to 3000, set when the network is created',
        fallback: '3000',
      },
      {
        names: ['--host'],
        value: '<address>',
        doc: 'Listen address of all ports except the admin port, which always listens on 127.0.0.1. 0.0.0.0 listens on all interfaces',
        fallback: '127.0.0.1, this machine only',
      },
      {
        names: ['--port-base'],
        value: '<port>',
        doc: 'First of 13 ports: +0 to +2 HTTP, +3 to +5 JSON-RPC, +6 to +8 gRPC (each for head, solidified, PBFT), +9 status page, +10 admin server, +11 light clients, +12 Prometheus',
        fallback: 'the usual ports of a node, such as 8090 for HTTP and 8545 for JSON-RPC',
      },
      {
        names: ['--kafka'],
        value: '<bootstrap>',
        doc: 'Bootstrap server of Kafka; the node writes one record per transaction to the topic tronicle.transaction',
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
        doc: 'Chain id that eth_chainId and the opcode CHAINID return, set when the network is created',
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
        doc: "BIP-39 words of the funded accounts, set when the network is created. Derivation path: m/44'/195'/0'/0/<index>",
        fallback: 'built-in test keys',
      },
      LOG_LEVEL,
    ],
    flags: [],
    examples: ['tronicle devnet --data data/devnet --fresh --block-time 200'],
    notes: [
      'The first start writes the configuration of the network to the file devnet.conf in the data folder. To change a setting for which no option exists, stop the network, edit this file and start the network again.',
    ],
  },
] as const satisfies readonly CommandRow[];
