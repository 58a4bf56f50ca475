import t from 'tap';
import { sinkMembersOf } from '../../../../../src/streams/sinks/sink-kinds.js';
import { mainNetSink } from '../../../../support/streams/main-net-sink.js';

const sink = { name: 'a', type: 'kafka', topics: ['block'], bootstrap: 'broker:9092' };
const https = 'https://registry:8081';

t.test('reads the options of a schema registry', async (t) => {
  const tls = { ca: 'ca.pem', cert: 'cert.pem', key: 'key.pem' };
  const read = mainNetSink({ ...sink, payload: 'avro', schemaRegistry: https, schemaRegistryTls: tls });
  t.match(read, { payload: 'avro', schemaRegistry: https, schemaRegistryTls: tls });
  const { shown } = sinkMembersOf('kafka')['schemaRegistry']!;
  t.equal(shown?.('https://user:secret@registry:8081/'), https);
});

for (const [name, options, message] of [
  [
    'Avro without a registry',
    { payload: 'avro' },
    /sink\.payload, avro needs a schema registry, .*; set schemaRegistry/,
  ],
  [
    'a topic with several Avro schemas',
    {
      payload: 'avro',
      topics: ['block', 'solidity'],
      topicNames: { block: 'x', solidity: 'x' },
      schemaRegistry: https,
    },
    /sink\.schemaRegistry, needs a separate topic for each trigger/,
  ],
  [
    'a broker without a port',
    { bootstrap: 'broker' },
    /sink\.bootstrap, has the invalid broker "broker"; use host:port/,
  ],
  ['a port above 65535', { bootstrap: ['a:9092', 'b:90920'] }, /has the invalid broker "b:90920"/],
  ['a URL as a broker', { bootstrap: 'kafka://broker:9092' }, /has the invalid broker "kafka:\/\/broker:9092"/],
  ['a prefix with a space', { prefix: 'my chain' }, /sink\.prefix, Kafka allows no topic "my chain\.cursor"; use at/],
  ['a prefix that is too long', { prefix: 'z'.repeat(243) }, /sink\.prefix, Kafka allows no topic "z+\.cursor"/],
  ['a topic with a slash', { topicNames: { block: 'a/b' } }, /sink\.topicNames, Kafka allows no topic "a\/b"/],
  ['another protocol', { schemaRegistry: 'ftp://registry' }, /sink\.schemaRegistry, must be an http or https URL/],
  ['TLS files without a registry', { schemaRegistryTls: { ca: 'a' } }, /schemaRegistryTls, needs an https URL/],
  [
    'TLS files for http',
    { schemaRegistry: 'http://registry', schemaRegistryTls: { ca: 'a' } },
    /schemaRegistryTls, needs an https URL/,
  ],
  [
    'a certificate without a key',
    { schemaRegistry: https, schemaRegistryTls: { cert: 'a' } },
    /sink\.schemaRegistryTls\.key, is missing; set both cert and key/,
  ],
  [
    'a misspelt TLS file',
    { schemaRegistry: https, schemaRegistryTls: { certt: 'a' } },
    /sink\.schemaRegistryTls\.certt, is unknown; did you mean cert\?/,
  ],
  ['a misspelt TLS option', { tls: { enabled: true } }, /sink\.tls\.enabled, is unknown; did you mean enable\?/],
  [
    'a misspelt SASL option',
    { sasl: { mechanism: 'plain', user: 'a', password: 'b' } },
    /sink\.sasl\.user, is unknown/,
  ],
] as const)
  t.test(`refuses ${name}`, async (t) => {
    t.throws(() => mainNetSink({ ...sink, ...options }), { name: 'UsageError', message });
  });
