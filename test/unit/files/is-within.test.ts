import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isWithin } from '../../../src/files/is-within.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('detects paths below a folder after resolving symbolic links', async (t) => {
  const root = temporaryFolder(t);
  const data = join(root, 'data');
  mkdirSync(join(data, 'streams'), { recursive: true });
  mkdirSync(join(root, 'other'));
  symlinkSync(join(root, 'other'), join(data, 'link'));
  mkdirSync(join(data, '..names'));
  const within = (path: string): boolean => isWithin(data, join(data, path));
  t.same(['a.ndjson', 'streams/new/a.ndjson', '..names/a'].map(within), [true, true, true]);
  t.same(['', '../data', '../a', 'streams/../../a', 'link/a', '../data2/a'].map(within), new Array(6).fill(false));
  symlinkSync(data, join(root, 'alias'));
  t.ok(isWithin(join(root, 'alias'), join(data, 'a')), 'the folder is a symbolic link');
});
