import type { Logger } from 'pino';
import t from 'tap';
import { parseFlags } from '../../../../src/config/flags.js';
import { readHoconText } from '../../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../../src/config/load-config.js';
import { eventSinks } from '../../../../src/node/sinks/event-sinks.js';
import { silent } from '../../../support/projections/chain.js';

const SOLIDIFIED = 50;
const QUEUE = 'native.useNativeQueue = true, topics = [{ triggerName = block, enable = true, topic = b }]';

function sinksOf(release: string, subscribe: string, flags: readonly string[] = []) {
  const text = `storage.db.engine = LEVELDB, tronicle.release = "${release}"\nevent.subscribe { ${subscribe} }`;
  const { config, warnings } = configFrom(readHoconText(text, 'x.conf'), { flags: parseFlags(flags).flags });
  const logged: unknown[] = [];
  const log = { ...silent, warn: (text: unknown) => logged.push(text), error: () => undefined } as unknown as Logger;
  return { sinks: eventSinks(config, SOLIDIFIED, log), warnings, logged };
}

t.test('enables events by the file in 4.8.2, and by the flag in both releases', async (t) => {
  t.equal(sinksOf('4.8.2', `enable = true, ${QUEUE}`).sinks.length, 1);
  const { sinks, warnings } = sinksOf('4.7.2', `enable = true, version = 1, ${QUEUE}`);
  t.same(sinks, []);
  for (const key of ['enable', 'version'])
    t.ok(warnings.includes(`x.conf: 2: event.subscribe.${key} has no effect in release 4.7.2`), key);
  t.equal(sinksOf('4.7.2', QUEUE, ['--es']).sinks.length, 1);
});

t.test('reads event service 1 and its start height', async (t) => {
  const extentOf = (release: string, more: string): unknown[] => {
    const [sink] = sinksOf(release, `enable = true, ${QUEUE}, ${more}`, ['--es']).sinks;
    return [sink?.polled, sink?.from, sink?.repeats];
  };
  t.same(extentOf('4.8.2', 'version = 0, startSyncBlockNum = 7'), [undefined, undefined, undefined]);
  t.same(extentOf('4.8.2', 'version = 1'), [true, SOLIDIFIED + 1, undefined]);
  t.same(extentOf('4.8.2', 'version = 1, startSyncBlockNum = -1'), [true, SOLIDIFIED + 1, undefined]);
  t.same(extentOf('4.8.2', 'version = 1, startSyncBlockNum = 7'), [true, 7, true]);
  t.same(
    extentOf('4.8.2', 'version = 1, startSyncBlockNum = 900'),
    [true, SOLIDIFIED, true],
    'a start height above the solidified block',
  );
  t.same(extentOf('4.7.2', 'version = 1, startSyncBlockNum = 7'), [undefined, undefined, undefined]);
});

t.test('release 4.8.2 does not start if the plugin file does not exist', async (t) => {
  const mongo =
    'path = "/plugins/plugin-mongodb-1.0.0.zip", topics = [{ triggerName = block, enable = true, topic = b }]';
  t.throws(
    () => sinksOf('4.8.2', `enable = true, ${mongo}`),
    /^event\.subscribe\.path: this java-tron plugin is not supported/,
  );
  t.same(sinksOf('4.7.2', mongo, ['--es']).sinks, []);
});

// Reference: EventConfig.fromConfig of 4.8.2 fills missing members, and binds switches as booleans.
t.test('fills missing members of triggers and filter in release 4.8.2', async (t) => {
  const lines = (topic: string, filter: string): string => `enable = true, ${topicsText(topic)}, filter { ${filter} }`;
  const kafka = 'path = "/plugins/plugin-kafka-3.0.0.zip", server = "127.0.0.1:9092", enable = true';
  const [sink] = sinksOf('4.8.2', lines('{ triggerName = block, enable = yes }', 'contractAddress = [T]')).sinks;
  t.match(sink, { topics: ['block'], filter: { fromBlock: 0n, contractAddress: ['T'], contractTopic: [] } });
  t.notOk(sink?.filter.toBlock, 'the filter has no end');
  t.same(
    sinksOf('4.8.2', `${kafka}, topics = [{ triggerName = block, enable = on }]`).sinks,
    [],
    'no topic, no record',
  );
  t.throws(() => sinksOf('4.8.2', lines('{ triggerName = block, enable = "TRUE" }', '')), /enable has type STRING/);
  const older = (topic: string, filter: string) => sinksOf('4.7.2', lines(topic, filter), ['--es']);
  t.throws(
    () => older('{ triggerName = block, enable = true, topic = b }', 'contractAddress = [T]'),
    /filter\.fromblock/,
  );
  const bounds = 'fromblock = "", toblock = "", contractAddress = [], contractTopic = []';
  t.throws(() => older('{ triggerName = block, enable = true }', bounds), /has no topic/);
  t.same(older('{ triggerName = block, enable = yes, topic = b }', bounds).sinks, [], 'only the text true enables');
  t.equal(older('{ triggerName = block, enable = "TRUE", topic = b }', bounds).sinks.length, 1);
});

const topicsText = (...topics: string[]): string => `native.useNativeQueue = true, topics = [${topics.join(', ')}]`;

t.test('applies the options of a trigger until the trigger is disabled', async (t) => {
  const sinkOf = (...topics: string[]) => sinksOf('4.7.2', topicsText(...topics), ['--es']).sinks[0];
  const block = '{ triggerName = block, enable = true, topic = b, ethCompatible = true, solidified = true }';
  const transaction = '{ triggerName = transaction, enable = true, topic = t }';
  t.match(sinkOf(block, transaction), { ethCompatible: false, solidified: ['block'] });
  const again = '{ triggerName = BLOCK, enable = true, topic = c }';
  t.match(sinkOf(block, again), { topics: ['block'], solidified: ['block'] });
  const off = '{ triggerName = block, enable = false, topic = b }';
  t.match(sinkOf(block, off, again), { topics: ['block'], solidified: [] });
  t.equal(sinkOf(block, off), undefined);
});

t.test('checks the bounds of the filter', async (t) => {
  const filterOf = (from: string, to: string) => {
    const filter = `filter { fromblock = "${from}", toblock = "${to}", contractAddress = [], contractTopic = [] }`;
    return sinksOf('4.7.2', `${QUEUE}, ${filter}`, ['--es']).sinks[0]?.filter;
  };
  const open = { contractAddress: [], contractTopic: [] };
  t.same(filterOf('', 'latest'), { ...open, fromBlock: 0n });
  t.same(filterOf('5', '-1'), { ...open, fromBlock: 5n });
  t.same(filterOf('5', '9'), { ...open, fromBlock: 5n, toBlock: 9n });
  t.same(filterOf('', '0'), { ...open, fromBlock: 0n, toBlock: -1n }, 'empty range');
  t.same(filterOf('-1', '9'), { ...open, fromBlock: -1n, toBlock: -1n }, 'empty range');
  t.same(filterOf('', '-7'), { ...open, fromBlock: 0n, toBlock: -7n }, 'empty range');
  t.same(filterOf('x', '9'), open);
});

// In public reports of nodes that sent no events, the cause was such a misspelt value or name. No message named it.
t.test('warns of triggers without effect, and of events without a trigger', async (t) => {
  const trigger = (name: string, enable: string): string =>
    `{ triggerName = ${name}, enable = ${enable}, topic = b, solidified = yes }`;
  const { warnings, logged, sinks } = sinksOf('4.7.2', topicsText(trigger('block', 'ture')), ['--es']);
  t.same(sinks, []);
  const reason = 'is neither true nor false, the node uses false';
  t.match(
    warnings,
    [`enable = ture ${reason}`, `solidified = yes ${reason}`].map(
      (text) => `x.conf: 2: event.subscribe.topics: ${text}`,
    ),
  );
  const none = 'event.subscribe.topics has no enabled trigger, so no events are sent; set enable = true for a trigger';
  t.same(logged, [none]);
  for (const release of ['4.7.2', '4.8.2'])
    t.same(
      sinksOf(release, `enable = true, ${topicsText(trigger('blockTrigger', 'true'), trigger('Solidty', 'true'))}`, [
        '--es',
      ]).logged,
      [
        'event.subscribe.topics: the triggerName blockTrigger is unknown and has no effect; use block, transaction, contractevent, contractlog, solidity, solidityevent, soliditylog',
        'event.subscribe.topics: the triggerName Solidty is unknown and has no effect; did you mean solidity?',
        none,
      ],
      release,
    );
});
