import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { openEnvironment } from '../../../src/disk/environment.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const key = Buffer.from('key');

t.test('a held snapshot is kept over turns of the event loop, until it is taken again or too old', async (t) => {
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
  reader.hold();
  t.same(read(), ['first', 'first']);
  write('second');
  await pause(5);
  t.same(read(), ['first', 'first'], 'another commit is not seen');
  reader.hold();
  t.same(read(), ['second', 'second'], 'taken again it is');
  write('third');
  reader.refresh();
  t.same(read(), ['third', 'third'], 'refreshing takes it again');
  write('fourth');
  const started = Date.now();
  while (reader.isHeld && Date.now() - started < 30_000) await pause(50);
  t.notOk(reader.isHeld, 'a reader who never asks again lets go');
  t.same(read(), ['fourth', 'fourth']);
  await reader.close();
  await writer.close();
});
