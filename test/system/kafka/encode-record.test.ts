import { createRequire } from 'node:module';
import t from 'tap';
import {
  encodeHeader,
  encodeRecordBody,
  encodeRecords,
  RECORD_HEAD_BYTES,
} from '../../../src/streams/sinks/kafka/encode-record.js';

interface LibraryRecord {
  readonly key: string;
  readonly value: Buffer | string;
  readonly headers: Readonly<Record<string, string>>;
}

// Compares encoded records with those of kafkajs, whose encoding brokers and consumers accept.
const libraryRecord = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/record/v0') as (
  record: LibraryRecord & { readonly offsetDelta: number; readonly timestampDelta: number },
) => { readonly buffer: Buffer };

const lengths = [0, 1, 62, 63, 64, 65, 127, 128, 900, 8191, 8192, 20_000, 1_100_000];

t.test('encodes records like kafkajs', async (t) => {
  const records = lengths.map((length, at) => ({
    key: 'ключ'.repeat(at * 3),
    value: at % 2 === 0 ? Buffer.alloc(length, at) : `"${'ü€𝄞'.repeat(length)}"`,
    headers: {
      seq: String(10 ** at),
      empty: '',
      ['n'.repeat(at * 20)]: 'v'.repeat(at * 60),
      ...Object.fromEntries(Array.from({ length: at * 4 }, (_, index) => [`h${index}`, `${index}`])),
    },
  }));
  // Enough records that offset deltas need one and two bytes as varint.
  const all = Array.from({ length: 70 }, () => records.slice(0, 6))
    .flat()
    .concat(records);
  const bodies = all.map(({ key, value, headers }) => {
    const names = Object.entries(headers);
    const bytes = names.map(([name, text]) => encodeHeader(name, text)).join('');
    return encodeRecordBody(key, value, { count: names.length, bytes });
  });
  // Block times in ms, not in ascending order. One of them is the time 0 of genesis.
  const times = all.map((_, at) => (at === 3 ? 0 : at === 4 ? 1_790_000_000_000 : 1_530_000_000_000 + at * 3000));
  const expected = Buffer.concat(
    all.map(
      (record, offsetDelta) => libraryRecord({ ...record, offsetDelta, timestampDelta: times[offsetDelta]! }).buffer,
    ),
  );
  const { bytes: encoded, firstMs, lastMs } = encodeRecords(bodies.map((body, at) => ({ body, timeMs: times[at]! })));
  t.equal(Buffer.compare(encoded, expected), 0);
  t.same([firstMs, lastMs], [0, 1_790_000_000_000]);
  const bound = bodies.reduce((sum, body) => sum + body.length + RECORD_HEAD_BYTES, 0);
  t.ok(encoded.length <= bound);
});
