import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { shownSink, sinkToJson } from '../../../../src/node/sinks/sink-json.js';
import { MANDATORY } from '../../../../src/streams/sinks/sink-kind.js';
import {
  backfillSinkOf,
  createSink,
  SINK_TYPES,
  type SinkType,
  sinkMembersOf,
} from '../../../../src/streams/sinks/sink-kinds.js';
import { ROOT, sourcePaths } from '../../../architecture/source-files.js';
import { open, silent } from '../../../support/projections/chain.js';
import { mainNetSink } from '../../../support/streams/main-net-sink.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const tests = sourcePaths('test').filter((path) => path.endsWith('.test.ts'));

/** Matches names and descriptions of options with secret values. */
const SECRET = /password|passphrase|secret|token|credential/i;

/** Returns the mandatory options of a kind of sink, with valid values. */
function leastOf(type: SinkType): Record<string, unknown> {
  const needed = Object.entries(sinkMembersOf(type)).filter(([, { fallback }]) => fallback === MANDATORY);
  return {
    name: 'it',
    type,
    topics: ['block'],
    ...Object.fromEntries(needed.map(([name]) => [name, NEEDED[name] ?? 'x:1'])),
  };
}

/** Valid values for mandatory options that do not accept every text. */
const NEEDED: Readonly<Record<string, string>> = { url: 'postgres://x:1/y' };

for (const type of SINK_TYPES) {
  t.test(`${type}: every option has a description, hides secrets, and is stored and read back`, async (t) => {
    const suite = `passesSinkSuite(t, '${type}'`;
    t.ok(
      tests.some((path) => readFileSync(join(ROOT, path), 'utf8').includes(suite)),
      `a test calls ${suite}`,
    );
    for (const [name, { type: form, doc, shown }] of Object.entries(sinkMembersOf(type))) {
      t.ok(form && doc, `${name} has a type and a description`);
      if (SECRET.test(`${name} ${doc}`))
        t.ok(shown, `${name} is a secret: its row needs a function shown, which hides it`);
    }
    const least = leastOf(type);
    for (const name of Object.keys(least).filter((name) => sinkMembersOf(type)[name] !== undefined)) {
      const { [name]: _, ...without } = least;
      t.throws(() => mainNetSink(without), { message: new RegExp(`sink.${name}, is missing`) });
    }
    const sink = mainNetSink(least);
    t.same(mainNetSink(sinkToJson(sink)), sink, 'the stored form is read back unchanged');
    const dataDir = temporaryFolder(t);
    const ledger = await open(dataDir, {});
    t.teardown(() => ledger.close());
    const around = { dataDir, checkpointFile: join(dataDir, 'place.json'), ledger, log: silent };
    t.equal((await createSink(sink, around)).name, 'it');
  });
}

t.test('stores a password and does not show it', async (t) => {
  const sasl = { mechanism: 'plain', username: 'u', password: 'secret' };
  const sink = mainNetSink({ ...leastOf('kafka'), topicNames: { block: 'mine' }, sasl });
  t.match(sinkToJson(sink), { sasl, topicNames: { block: 'mine' } });
  t.match(shownSink(sink), { sasl: { username: 'u' }, topicNames: { block: 'mine' } });
  t.notMatch(JSON.stringify(shownSink(sink)), /secret/);
});

t.test('writes a backfill to another target, or reports why it cannot', async (t) => {
  const fill = { name: 'old', of: 'it', trigger: 'block', isSent: true } as const;
  const filled = (type: SinkType, into?: string) => backfillSinkOf(mainNetSink(leastOf(type)), { ...fill, into });
  t.match(filled('ndjson'), { path: 'old.ndjson' });
  t.match(filled('ndjson', 'there'), { path: 'there' });
  t.throws(() => filled('kafka'), { message: /set another Kafka topic with --into/ });
  t.match(filled('kafka', 'there'), { topicNames: new Map([['block', 'there']]) });
  for (const into of [undefined, '5556'])
    t.throws(() => filled('zeromq', into), { message: /sink it .* cannot be backfilled/ });
  t.match(filled('stdout'), { type: 'stdout' });
  t.throws(() => filled('stdout', 'there'), { message: /remove --into/ });
});
