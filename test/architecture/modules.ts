/**
 * Modules of the program in dependency order, with the modules that each may import. A module may import only modules
 * listed before it. Imports of types are included. A key is a folder in `src`. A subfolder with its own key is a
 * separate module. If a lower module needs a function of a higher one, `src/node` passes the function as an argument.
 */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  /** Addresses, bytes, amounts, errors. */
  primitives: [],
  /** Hashes, signatures, Base58Check. The folder `wasm` has curves and hashes in WebAssembly. */
  crypto: ['primitives'],
  /** Protobuf wire codec and the generated messages. */
  codec: ['primitives'],
  /** Doubles, hash order, sorting and text with the results of Java. */
  'java-compat': ['primitives'],
  /** Folder lock, free disk space, atomic file replacement. */
  files: ['primitives'],
  /** The append-only block log on LMDB. */
  log: ['primitives', 'crypto', 'codec', 'files'],
  /** Readers and writers of java-tron's LevelDB and RocksDB folders. */
  'java-tron-data': ['primitives', 'crypto', 'codec', 'files'],
  /** State rows, history, checkpoints, replay and the projection runner. */
  projections: ['primitives', 'crypto', 'codec', 'files', 'log'],
  /** Block rules, transaction rules, system contracts, staking, rewards, governance. */
  'state-transition': ['primitives', 'crypto', 'codec', 'java-compat', 'projections'],
  /** The TVM. */
  vm: ['primitives', 'crypto', 'codec', 'java-compat', 'state-transition'],
  /** Chain, reorgs, mempool, block production. */
  chain: ['primitives', 'crypto', 'codec', 'files', 'log', 'projections', 'state-transition', 'vm'],
  /** JSON forms of messages, contract types and ABIs. */
  encoding: ['primitives', 'crypto', 'codec', 'java-compat', 'files', 'state-transition'],
  /** Indexes over the log: histories of accounts, events, transfers, log blooms. */
  'projections/indexes': ['primitives', 'crypto', 'codec', 'log', 'projections', 'state-transition', 'encoding'],
  /** Connections, discovery, sync, gossip. */
  p2p: ['primitives', 'crypto', 'codec', 'state-transition'],
  /** Records of solidified blocks and the sinks that store them. */
  streams: [
    'primitives',
    'crypto',
    'codec',
    'java-compat',
    'files',
    'log',
    'projections',
    'state-transition',
    'encoding',
  ],
  /** The configuration file: its syntax, its keys, and loading. */
  config: ['primitives', 'crypto', 'files', 'state-transition', 'p2p', 'streams'],
  /** HTTP, JSON-RPC, gRPC, GraphQL, TronGrid's `/v1`, the status page. */
  api: [
    'primitives',
    'crypto',
    'codec',
    'java-compat',
    'log',
    'projections',
    'projections/indexes',
    'state-transition',
    'vm',
    'encoding',
    'streams',
  ],
  /** The browser client. It depends only on the formats of the feed that it reads. */
  'light-client': ['api/follow'],
  /** Commands, threads and wiring. */
  node: [
    'primitives',
    'crypto',
    'codec',
    'java-compat',
    'files',
    'log',
    'java-tron-data',
    'projections',
    'projections/indexes',
    'state-transition',
    'vm',
    'chain',
    'encoding',
    'p2p',
    'streams',
    'config',
    'api',
  ],
};
