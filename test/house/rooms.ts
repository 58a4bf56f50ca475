/**
 * Rooms of the program, from the ground up, and what each may import: rooms named before it, never one behind it. A
 * folder inside a room is named with its room. What a lower room needs from above reaches it as an argument, wired in
 * `src/node`.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  /** An assembler for WebAssembly; Keccak-256 and proofs of signatures written with it. */
  wasm: [],
  /** Words that everybody shares: addresses, hashes, amounts, errors. */
  domain: ['wasm'],
  /** Messages of the network as bytes. */
  codec: ['domain'],
  /** What Java makes of numbers, texts, orders and errors. */
  java: ['domain'],
  /** LMDB environments and files on the disk. */
  disk: ['domain'],
  /** A reader of the configuration's language. */
  hocon: ['domain'],
  log: ['wasm', 'domain', 'codec', 'disk'],
  'java-data': ['domain', 'codec', 'disk'],
  projections: ['domain', 'codec', 'disk', 'log'],
  vm: ['wasm', 'domain', 'codec', 'java', 'projections'],
  /** How messages, contract types and logs look from outside: JSON, a row for each contract type, ABIs. */
  content: ['domain', 'codec', 'java', 'vm'],
  p2p: ['domain', 'codec', 'vm'],
  streams: ['domain', 'codec', 'java', 'disk', 'log', 'projections', 'vm', 'content'],
  api: ['domain', 'codec', 'java', 'disk', 'log', 'projections', 'vm', 'content', 'streams'],
  /** A page has nothing of the node but the forms of what it follows. */
  browser: ['api/follow'],
  node: [
    'wasm',
    'domain',
    'codec',
    'java',
    'disk',
    'hocon',
    'log',
    'java-data',
    'projections',
    'vm',
    'content',
    'p2p',
    'streams',
    'api',
  ],
};
