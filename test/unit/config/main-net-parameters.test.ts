import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ChainView } from '../../../src/api/context/api-context.js';
import { checkBlockRange } from '../../../src/api/jsonrpc/logs/read-log-query.js';
import { apiRelease } from '../../../src/api/releases/releases.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom, loadConfig, MAIN_NET_FILE, type NodeConfig } from '../../../src/config/load-config.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';
import { releases } from '../../../src/state-transition/releases/index.js';
import { mainNetParameters } from '../../support/node/main-net-parameters.js';

// Compares the configuration files in `config/` with the published parameters of the main net
// (config/main-net-parameters.json).

const DEVNET = readFileSync(new URL('../../../config/devnet.conf', import.meta.url), 'utf8');

function devnet(edit = (text: string) => text): NodeConfig {
  const text = edit(DEVNET.replaceAll('{{genesisTime}}', '1700000000000'));
  return configFrom(readHoconText(text, 'devnet.conf'), { file: 'devnet.conf' }).config;
}

const newest = releases.at(-1)!;

t.test('runs the private network on the newest release, without keys that have no effect', async (t) => {
  const text = DEVNET.replaceAll('{{genesisTime}}', '1700000000000');
  t.same(configFrom(readHoconText(text, 'devnet.conf'), { file: 'devnet.conf' }).warnings, []);
  t.equal(devnet().tronicle.release, newest.name);
});

t.test('reads logs from block 0 of the private network at any height', async (t) => {
  const range = { filter: { addresses: [], topics: [] }, from: 0, to: 0x7fff_ffff };
  const view = { headNumber: 1_000_000 } as ChainView;
  const limitsOf = ({ node, tronicle }: NodeConfig) => ({
    ...apiRelease(tronicle.release).rpcLimits,
    ...(node.jsonrpc.maxBlockRange !== undefined && { maxBlockRange: node.jsonrpc.maxBlockRange }),
  });
  checkBlockRange(range, view, limitsOf(devnet()));
  t.throws(() => checkBlockRange(range, view, limitsOf(loadConfig({ file: MAIN_NET_FILE }).config)), {
    message: 'exceed max block range: 5000',
  });
});

t.test('starts the private network with main net parameters, except the listed ones', async (t) => {
  const { genesisParameters } = devnet().tronicle;
  const { devnetValues, devnetDiffers } = mainNetParameters();
  const expected = new Map(devnetValues);
  // This parameter is computed from the limit above, and no proposal sets it.
  expected.delete('getTotalEnergyCurrentLimit');
  t.same([...genesisParameters].map(([name, value]) => [name, Number(value)]).sort(), [...expected].sort());
  for (const [name, { value }] of devnetDiffers) t.match(DEVNET, `${name} = ${value} # `, `${name}: the file says why`);
});

t.test('has a row for each parameter of the newest release', async (t) => {
  const { values, silent } = mainNetParameters();
  const shown = [...newest.parameters.values()].flatMap(({ shown }) => (shown === undefined ? [] : [shown]));
  for (const name of shown) t.ok(values.has(name) || silent.has(name), name);
});

t.test('sets no parameters in the main net configuration', async (t) => {
  const { config } = loadConfig({ file: MAIN_NET_FILE });
  t.equal(config.tronicle.genesisParameters.size, 0);
  const { pBFTExpireNum: _, ...committee } = config.committee;
  for (const [key, value] of Object.entries(committee)) t.equal(value, 0n, `committee.${key}`);
});

t.test('rejects parameters at the genesis of the main net', async (t) => {
  const { config } = loadConfig({ file: MAIN_NET_FILE });
  const changed = {
    ...config,
    tronicle: { ...config.tronicle, genesisParameters: new Map([['getEnergyFee', 1n]]) },
  };
  t.doesNotThrow(() => genesisOf(config, chainRules(config)));
  t.throws(() => genesisOf(changed, chainRules(changed)), { message: /is only for private networks/ });
});

const refused: readonly [title: string, line: string, message: RegExp][] = [
  [
    'a name that does not exist',
    'getAllowEverything = 1',
    /getAllowEverything: release .* has no parameter of this name/,
  ],
  [
    'a value that no proposal may set',
    'getFreeNetLimit = 100001',
    /getFreeNetLimit = 100001 is out of range; use 0 to 100000/,
  ],
];
for (const [title, line, message] of refused)
  t.test(`rejects ${title}`, async (t) => {
    const config = devnet((text) =>
      text.replace('genesisParameters {', `genesisParameters {\n ${line}`).replace(/getFreeNetLimit = 600, /, ''),
    );
    t.throws(() => genesisOf(config, chainRules(config)), { name: 'UsageError', message });
  });

t.test('rejects a parameter that an older release does not have', async (t) => {
  const config = devnet((text) => text.replace(`release = "${newest.name}"`, 'release = "4.7.2"'));
  t.throws(() => genesisOf(config, chainRules(config)), { message: /release 4\.7\.2 has no parameter of this name/ });
});
