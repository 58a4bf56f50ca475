import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'lmdb';
import t from 'tap';
import { BytesTable, openEnvironment } from '../../../../src/log/lmdb/environment.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const key = Buffer.from('key');

t.test('keeps a snapshot over turns of the event loop until it is renewed or too old', async (t) => {
  const folder = temporaryFolder(t);
  const writer = openEnvironment(folder, { readOnly: false });
  const written = writer.table('rows');
  const write = (text: string): void => writer.commit(() => written.putSync(key, Buffer.from(text)));
  write('first');
  const reader = openEnvironment(folder, { readOnly: true });
  const rows = reader.table('rows');
  const read = (): readonly (string | undefined)[] => [
    rows.getBinary(key)?.toString(),
    ...[...rows.getRange({ start: key })].map(({ value }) => value.toString()),
  ];
  reader.holdSnapshot();
  t.same(read(), ['first', 'first']);
  write('second');
  await pause(5);
  t.same(read(), ['first', 'first'], 'the snapshot does not contain the later commit');
  reader.holdSnapshot();
  t.same(read(), ['second', 'second'], 'a new snapshot contains the commit');
  write('third');
  reader.refresh();
  t.same(read(), ['third', 'third'], 'a refresh opens a new snapshot');
  write('fourth');
  const started = Date.now();
  while (reader.holdsSnapshot && Date.now() - started < 30_000) await pause(50);
  t.notOk(reader.holdsSnapshot, 'a snapshot that is not requested again is released');
  t.same(read(), ['fourth', 'fourth']);
  await reader.close();
  await writer.close();
});

// The LMDB package frees memory twice after it has rejected a file, which would crash the process. So the file is
// checked first.
t.test('does not open a missing or incomplete database for reading', async (t) => {
  for (const content of [Buffer.alloc(0), Buffer.alloc(100), Buffer.alloc(8192), Buffer.alloc(65_536, 7)]) {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'data.mdb'), content);
    for (let turn = 0; turn < 20; turn++) {
      t.throws(() => openEnvironment(folder, { readOnly: true }), { code: 'DAMAGED_DATA' });
    }
  }
});

t.test('reports a failed read as a storage error', async (t) => {
  const fail = () => {
    throw new Error('MDB_PANIC: Update of meta page failed or environment had fatal error');
  };
  const failing = { getBinary: fail, getBinaryFast: fail, getRange: fail, getKeys: fail };
  const table = new BytesTable('state', failing as unknown as Database<Buffer, Uint8Array>, { transaction: undefined });
  const expected = { code: 'STORAGE_FAILED', message: /^cannot read state: MDB_PANIC.*; restart the node/ };
  t.throws(() => table.getBinary(key), expected);
  t.throws(() => table.getBinaryFast(key), expected);
  t.throws(() => [...table.getRange({})], expected);
  t.throws(() => [...table.getKeys({})], expected);
});

t.test('ends the process after a failed write that makes LMDB unusable, and after no other failed write', async (t) => {
  const environment = openEnvironment(temporaryFolder(t), { readOnly: false });
  t.teardown(() => environment.close());
  const fail = (text: string) => ({
    value: () => {
      throw new Error(text);
    },
  });
  t.intercept(environment.root, 'transactionSync', fail('Input/output error'));
  const exit = t.capture(process, 'exit', () => {
    throw new Error('ended');
  });
  const commit = () => environment.commit(() => undefined);
  t.throws(commit, { code: 'STORAGE_FAILED', message: /Input\/output error/ });
  t.intercept(environment.root, 'getBinary', fail('MDB_PANIC: Update of meta page failed'));
  t.throws(commit, { message: 'ended' });
  t.match(exit.args(), [[1]]);
});

t.test('reports a failed snapshot as a storage error', async (t) => {
  const environment = openEnvironment(temporaryFolder(t), { readOnly: false });
  t.teardown(() => environment.close());
  t.intercept(environment.root, 'useReadTransaction', {
    value: () => {
      throw new Error('MDB_READERS_FULL');
    },
  });
  t.throws(() => environment.holdSnapshot(), { code: 'STORAGE_FAILED', message: /MDB_READERS_FULL/ });
});
