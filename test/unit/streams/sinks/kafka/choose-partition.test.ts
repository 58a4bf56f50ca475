import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import t from 'tap';
import { choosePartition, murmur2 } from '../../../../../src/streams/sinks/kafka/choose-partition.js';

// Source: UtilsTest of Apache Kafka.
const vectors: readonly (readonly [string, number])[] = [
  ['21', -973_932_308],
  ['foobar', -790_332_482],
  ['a-little-bit-long-string', -985_981_536],
  ['a-little-bit-longer-string', -1_486_304_829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ['abc', 479_470_107],
];

t.test('returns the hashes of the Java client', async (t) => {
  for (const [key, hash] of vectors) t.equal(murmur2(Buffer.from(key)), hash, key);
});

t.test('chooses the same partitions as kafkajs', async (t) => {
  const partitionOf = kafkajs.Partitioners.DefaultPartitioner();
  const keys = ['', 'é', ...Array.from({ length: 300 }, (_, at) => randomBytes(at % 41).toString('latin1'))];
  for (const key of keys) {
    const partitions = 1 + (key.length % 13);
    const nodes = { leader: 0, replicas: [], isr: [], partitionErrorCode: 0 };
    const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, ...nodes }));
    const expected = partitionOf({ topic: 'topic', partitionMetadata, message: { key, value: null } });
    if (choosePartition(key, partitions) !== expected) t.fail(`${JSON.stringify(key)} of ${partitions} partitions`);
  }
  t.pass(`${keys.length} keys`);
});
