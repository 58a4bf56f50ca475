import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { BlockRecords } from '../../../../../src/streams/records/event-record.js';
import { NdjsonSink } from '../../../../../src/streams/sinks/ndjson/ndjson-sink.js';
import { temporaryFolder } from '../../../../support/projections/chain.js';
import { eventsIn } from '../../../../support/streams/line-events.js';
import { passesSinkSuite } from '../../../../support/streams/sink-suite.js';

const blocks: readonly BlockRecords[] = [2, 0, 1, 3].map((count, number) => ({
  seq: number * 2,
  number,
  id: String(number).repeat(64),
  parentId: 'f'.repeat(64),
  readAt: 0,
  records: Array.from({ length: count }, (_, at) => ({
    trigger: 'transaction',
    key: `key ${number} ${at}`,
    payload: `{"text":"ü\\n${at}"}`,
  })),
}));

function sinkIn(folder: string): NdjsonSink {
  return new NdjsonSink({ name: 'file', path: join(folder, 'out.ndjson'), checkpointFile: join(folder, 'file.json') });
}

t.test('completes a file truncated at any byte to the same bytes', async (t) => {
  const folder = temporaryFolder(t);
  const whole = sinkIn(folder);
  t.equal(await whole.open(), undefined);
  await whole.write(blocks);
  await whole.close();
  const text = readFileSync(join(folder, 'out.ndjson'));
  t.equal(text.toString().trim().split('\n').length, 6);
  for (let length = 0; length <= text.length; length += 11) {
    const cut = temporaryFolder(t);
    const path = join(cut, 'out.ndjson');
    writeFileSync(path, text.subarray(0, length));
    const sink = sinkIn(cut);
    const position = await sink.open();
    await sink.write(blocks.filter(({ number }) => number > (position?.number ?? -1)));
    await sink.close();
    if (!readFileSync(path).equals(text)) t.fail(`truncated at byte ${length}`);
  }
});

t.test('writes lines again that a power failure replaced by zeros', async (t) => {
  const many = Array.from({ length: 20 }, (_, number) => ({ ...blocks[0]!, number, seq: number }));
  const folder = temporaryFolder(t);
  const whole = sinkIn(folder);
  await whole.open();
  await whole.write(many.slice(0, 2));
  const flushed = readFileSync(join(folder, 'file.json'));
  await whole.write(many.slice(2));
  const text = readFileSync(join(folder, 'out.ndjson'));
  const { bytes } = JSON.parse(flushed.toString()) as { bytes: number };
  const sector = Math.ceil(bytes / 512) * 512;
  t.ok(text.length > sector + 1024, 'two sectors were written and not flushed');
  await whole.close();
  for (const [from, to, checkpoint] of [
    [bytes, bytes + 700, flushed],
    [sector, sector + 512, flushed],
    [0, 512, undefined],
    [512, 1536, undefined],
  ] as const) {
    const torn = temporaryFolder(t);
    if (checkpoint !== undefined) writeFileSync(join(torn, 'file.json'), checkpoint);
    writeFileSync(join(torn, 'out.ndjson'), Buffer.from(text).fill(0, from, to));
    const sink = sinkIn(torn);
    const position = await sink.open();
    await sink.write(many.filter(({ number }) => number > (position?.number ?? -1)));
    await sink.close();
    t.ok(readFileSync(join(torn, 'out.ndjson')).equals(text), `zeros from ${from} to ${to}`);
  }
});

t.test('never writes a record twice, block by block or all at once', async (t) => {
  const folder = temporaryFolder(t);
  for (let at = 0; at < blocks.length; at++) {
    const sink = sinkIn(folder);
    const position = await sink.open();
    t.equal(position?.number, blocks.slice(0, at).findLast(({ records }) => records.length > 0)?.number);
    await sink.write(blocks.filter(({ number }) => number > (position?.number ?? -1) && number <= at));
    await sink.close();
    appendFileSync(join(folder, 'out.ndjson'), '{"topic":"transaction","key"');
  }
  const sink = sinkIn(folder);
  t.match(await sink.open(), { number: 3, seq: 6 });
  const lines = readFileSync(join(folder, 'out.ndjson'), 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, number>);
  t.strictSame(
    records.map(({ seq, index, prevSeq, prevIndex }) => [seq, index, prevSeq, prevIndex]),
    [
      [0, 0, undefined, undefined],
      [0, 1, 0, 0],
      [4, 0, 0, 1],
      [6, 0, 4, 0],
      [6, 1, 6, 0],
      [6, 2, 6, 1],
    ],
  );
  await sink.close();
});

t.test('rejects a shortened file, and a file that another program wrote', async (t) => {
  const folder = temporaryFolder(t);
  const sink = sinkIn(folder);
  await sink.open();
  await sink.write(blocks);
  await sink.close();
  truncateSync(join(folder, 'out.ndjson'), 20);
  await t.rejects(sinkIn(folder).open(), {
    code: 'SINK_REFUSED',
    message: /is shorter than after the last write of sink file/,
  });
  const other = temporaryFolder(t);
  writeFileSync(join(other, 'out.ndjson'), 'hello\n');
  await t.rejects(sinkIn(other).open(), { code: 'SINK_REFUSED', message: /has a malformed line/ });
  writeFileSync(join(other, 'out.ndjson'), Buffer.from('hello\n', 'utf16le'));
  await t.rejects(sinkIn(other).open(), { code: 'SINK_REFUSED', message: /has a malformed line/ });
});

passesSinkSuite(t, 'ndjson', async (t) => {
  const folder = temporaryFolder(t);
  const [path, aside] = [join(folder, 'out.ndjson'), join(folder, 'aside')];
  return {
    checkpointFile: join(folder, 'file.json'),
    make: async () => sinkIn(folder),
    arrived: async () => eventsIn(readFileSync(path, 'utf8')),
    refused: async () => {
      renameSync(path, aside);
      mkdirSync(path);
      const sink = sinkIn(folder);
      const repair = async (): Promise<NdjsonSink> => {
        rmdirSync(path);
        renameSync(aside, path);
        return sink;
      };
      return { sink, repair };
    },
  };
});
