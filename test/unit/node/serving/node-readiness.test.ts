import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../../../src/config/load-config.js';
import { nodeReadiness } from '../../../../src/node/serving/node-readiness.js';
import { TronError } from '../../../../src/primitives/errors.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

type Node = Parameters<typeof nodeReadiness>[0];

const { config } = loadConfig({});
const head = { headNumber: 7, state: { properties: { number: () => 1_000 } } };

function reasonsOf(dataDir: string, view: () => object): readonly object[] {
  return nodeReadiness({ api: { view }, config, dataDir, metrics: undefined, now: () => 1_000 } as unknown as Node)();
}

t.test('a disk or a state that cannot be read is a reason, not an error', async (t) => {
  const dataDir = temporaryFolder(t);
  t.same(
    reasonsOf(dataDir, () => head).filter((reason) => !('check' in reason && reason.check === 'disk')),
    [],
  );
  t.match(
    reasonsOf(join(dataDir, 'missing'), () => head),
    [{ check: 'storage', message: /^the data folder cannot be read: ENOENT/ }],
  );
  const failing = () => {
    throw new TronError('STORAGE_FAILED', 'cannot read state');
  };
  t.match(reasonsOf(dataDir, failing), [{ check: 'storage', message: /cannot read state$/ }]);
});
