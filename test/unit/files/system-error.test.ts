import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isSystemError, systemErrorText } from '../../../src/files/system-error.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('describes errors of system calls with path and remedy', async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, 'file');
  writeFileSync(file, '');
  const cases: readonly (readonly [run: () => unknown, text: string])[] = [
    [() => readFileSync(join(root, 'none')), `${root}/none does not exist; check the path`],
    [
      () => openSync(join(root, 'a', 'b', 'c'), 'w'),
      `the folder ${root}/a does not exist; create it, or use another path`,
    ],
    [() => openSync(join(file, 'x'), 'w'), `${file} is not a folder; use another path`],
    [() => readdirSync(file), `${file} is not a folder; use another path`],
    [() => closeSync(openSync(root, 'w')), `${root} is a folder; use the path of a file`],
    [() => mkdirSync(file), `${file} already exists; use another path`],
    [() => rmdirSync(root), `${root} is not empty; use an empty folder`],
  ];
  for (const [run, text] of cases) {
    try {
      run();
      t.fail(text);
    } catch (error) {
      t.ok(isSystemError(error));
      t.equal(systemErrorText(error as NodeJS.ErrnoException), text);
    }
  }
});

t.test('uses the path of the caller if the error names none, and otherwise the text of the system', async (t) => {
  const root = temporaryFolder(t);
  try {
    readFileSync(root);
    t.fail('a folder was read');
  } catch (error) {
    t.equal(systemErrorText(error as NodeJS.ErrnoException, 'x.conf'), 'x.conf is a folder; use the path of a file');
    t.match(systemErrorText(error as NodeJS.ErrnoException), /^EISDIR/);
  }
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EMFILE'])
    t.match(systemErrorText(Object.assign(new Error(code), { code, path: '/a/b' })), /\/a\/b.*; /);
  t.equal(systemErrorText(Object.assign(new Error('other'), { code: 'EOTHER', path: '/a' })), 'other');
});
