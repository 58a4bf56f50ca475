import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { circlesOf } from './circles.js';
import { ROOT, readSources } from './source-files.js';

// Folders of each module, the lowest first. A file may import only from its own folder and from folders listed before
// it. Imports of types are included. The name '' represents the files directly in the module's folder. If several names
// match a file, the longest one is used.
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'state-transition': [
    '',
    'parameters',
    'releases',
    'state',
    'consensus',
    'balances',
    'resources',
    'rewards',
    'staking',
    'governance',
    'system-contracts',
    'transactions',
    'account-trie',
    'block',
  ],
  vm: ['', 'machine', 'precompiles', 'opcodes', 'interpreter', 'smart-contract', 'tracing'],
  streams: ['', 'follow', 'records', 'sinks', 'forwarding'],
  api: [
    '',
    'shielded',
    'endpoints',
    'releases',
    'context',
    'metrics',
    'health',
    'middleware',
    'operations',
    'abi',
    'indexes',
    'http',
    'devnet',
    'status-page',
    'grpc',
    'jsonrpc',
    'graphql',
    'v1',
    'openapi',
    'follow',
  ],
  node: [
    '',
    'command-line',
    'workers',
    'threads/signatures',
    'peers',
    'metrics',
    'lifecycle',
    'threads/executed-changes',
    'threads/forwarder',
    'sinks',
    'admin',
    'devnet',
    'serving',
    'threads',
    'startup',
    'bootstrap',
    'blocks',
    'keystore',
    'replica',
    'solidity',
    'witness',
    'doctor',
    'compare',
    'test-driver',
    'commands',
  ],
};

/** Programs that load other modules dynamically by name. */
const ENTRIES: ReadonlySet<string> = new Set(['src/node/main.ts']);

for (const [module, layers] of Object.entries(LAYERS)) {
  t.test(`${module}: a folder imports only from itself and from lower folders`, async (t) => {
    const sources = readSources(`src/${module}`).filter(({ path }) => !ENTRIES.has(path));
    const layerOf = (path: string): number => {
      const folders = path.split('/').slice(2, -1);
      const names = [2, 1].map((length) => folders.slice(0, length).join('/'));
      return layers.indexOf(names.find((name) => layers.includes(name)) ?? '?');
    };
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter(([target]) => target.startsWith(`src/${module}/`) && layerOf(target) > layerOf(path))
        .map(([target]) => `${path} -> ${target}`),
    );
    t.same([...new Set(wrong)], []);
    t.same(
      sources.map(({ path }) => path).filter((path) => layerOf(path) < 0),
      [],
      'every folder has a layer',
    );
  });
}

t.test('has no import cycle between files of streams', async (t) => {
  t.same(circlesOf(readSources('src/streams')), []);
});

t.test('reads no clock in block rules and the TVM', async (t) => {
  const reads = /Date\.now|new Date\(\)|performance\.|hrtime/;
  const sources = readSources('src/vm', 'src/state-transition');
  t.same(
    sources.filter(({ path }) => reads.test(readFileSync(join(ROOT, path), 'utf8'))).map(({ path }) => path),
    [],
  );
});
