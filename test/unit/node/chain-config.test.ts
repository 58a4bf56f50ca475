import t from 'tap';
import { readHoconFile, readHoconText } from '../../../src/config/hocon/hocon.js';
import { mergeValues } from '../../../src/config/hocon/hocon-resolver.js';
import type { HoconObject } from '../../../src/config/hocon/hocon-value.js';
import { configFrom, MAIN_NET_FILE, type NodeConfig } from '../../../src/config/load-config.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';

function configWith(text: string): NodeConfig {
  const root = mergeValues(readHoconFile(MAIN_NET_FILE), readHoconText(text, 'x.conf')) as HoconObject;
  return configFrom(root, {}).config;
}

// java-tron treats every other value as SM2. It then rejects the addresses of block 0, because their checksums are
// wrong.
t.test('does not start a node with another crypto engine', async (t) => {
  for (const engine of ['eckey', 'ECKey'])
    t.equal(chainRules(configWith(`crypto.engine = "${engine}"`)).addressPrefix, 0x41);
  for (const engine of ['sm2', 'eckeys']) {
    t.throws(() => chainRules(configWith(`crypto.engine = "${engine}"`)), {
      message: /^crypto.engine is ".*"; only "eckey" is supported/,
    });
  }
});

// java-tron starts with this interval, and then fails in every block with "/ by zero".
t.test('creates no chain with a maintenance interval of 0', async (t) => {
  const genesisWith = (intervalMs: number) => {
    const config = configWith(`block.maintenanceTimeInterval = ${intervalMs}`);
    return genesisOf(config, chainRules(config));
  };
  t.throws(() => genesisWith(0), { message: /^block.maintenanceTimeInterval = 0 divides by zero; use a number of ms/ });
  t.ok(genesisWith(1));
});
