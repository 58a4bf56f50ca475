import { createRequire } from 'node:module';
import t from 'tap';

const load = createRequire(import.meta.url);
/** Version of kafkajs for which `ready-records.ts` and `produce-request.ts` were written. */
const VERSION = '2.2.4';

t.test('uses the version of kafkajs whose requests the sink completes', async (t) => {
  const { dependencies } = load('../../../../../package.json') as { dependencies: Record<string, string> };
  const { version } = load('kafkajs/package.json') as { version: string };
  t.equal(dependencies['kafkajs'], VERSION, 'the version in package.json; see docs/decisions.md before you change it');
  t.equal(version, VERSION, 'the installed version; run npm ci');
});
