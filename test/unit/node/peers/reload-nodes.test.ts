import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig, type PeerLists } from '../../../../src/node/config/load-config.js';
import { reloadNodes } from '../../../../src/node/peers/reload-nodes.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

t.test('a changed file is read again, a broken one changes nothing', async (t) => {
  const file = join(temporaryFolder(t), 'node.conf');
  let seconds = Date.now() / 1000 + 100;
  const write = (lines: string): void => {
    writeFileSync(file, `include "${join(process.cwd(), 'config/main.conf')}"\n${lines}\n`);
    seconds += 100;
    utimesSync(file, seconds, seconds);
  };
  writeFileSync(file, `include "${join(process.cwd(), 'config/main.conf')}"\nnode.dynamicConfig.checkInterval = 1\n`);
  const { config } = loadConfig({ file });
  const seen: PeerLists[] = [];
  const errors: unknown[] = [];
  const log = { ...silentLog, info: () => undefined, error: (fields: unknown) => errors.push(fields) };
  const changed = async (lists: PeerLists): Promise<void> => void seen.push(lists);
  t.teardown(reloadNodes({ config, changed, log: log as unknown as typeof silentLog, firstMs: 10 }));
  write('node.active = ["10.0.0.1"');
  await until('the broken file is told of', () => errors.length > 0);
  t.same(seen, []);
  write('node.active = ["10.0.0.1:18888"]\nnode.passive = ["10.0.0.2:18888"]');
  await until('the new nodes', () => seen.length === 1);
  t.match(seen[0], { active: [{ host: '10.0.0.1' }], passive: [{ host: '10.0.0.2' }] });
});
