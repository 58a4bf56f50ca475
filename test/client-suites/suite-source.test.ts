import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary-folder.js';
import { bringSuite, SuiteUnreachable } from './suite-source.js';

const nowhere = { kind: 'git', url: 'file:///there/is/no/such/repository', tag: 'v1' } as const;

t.test('copies a folder with sources, without installed packages and files of an earlier run', async (t) => {
  const folder = temporaryFolder(t);
  const [given, target] = [join(folder, 'given'), join(folder, 'deep/target')];
  mkdirSync(join(given, 'node_modules/x'), { recursive: true });
  mkdirSync(join(target, 'old'), { recursive: true });
  writeFileSync(join(given, 'a.txt'), 'A');
  bringSuite('some', nowhere, target, given);
  t.equal(readFileSync(join(target, 'a.txt'), 'utf8'), 'A');
  t.notOk(existsSync(join(target, 'node_modules')), 'installed packages are kept');
  t.notOk(existsSync(join(target, 'old')), 'files of an earlier run are deleted');
});

t.test('checks out the sources of a bare repository', async (t) => {
  const folder = temporaryFolder(t);
  const [work, bare, target] = ['work', 'bare', 'target'].map((name) => join(folder, name)) as [string, string, string];
  const git = (...args: [string, ...string[]]): void => {
    const named = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    t.equal(spawnSync('git', [...named, ...args]).status, 0, args[0]);
  };
  git('init', '--quiet', work);
  writeFileSync(join(work, 'a.txt'), 'A');
  git('-C', work, 'add', '.');
  git('-C', work, 'commit', '--quiet', '-m', 'a');
  git('clone', '--quiet', '--bare', work, bare);
  bringSuite('some', nowhere, target, bare);
  t.equal(readFileSync(join(target, 'a.txt'), 'utf8'), 'A');
});

t.test('reports unavailable sources', async (t) => {
  const target = join(temporaryFolder(t), 'target');
  const refused = (given?: string): unknown => {
    try {
      bringSuite('some', nowhere, target, given);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  for (const error of [refused(), refused('/there/is/no/such/folder')]) {
    t.ok(error instanceof SuiteUnreachable);
    t.match(error, { code: 'SUITE_UNREACHABLE', message: /no\/such.*--suite-dir some=<folder>/s });
  }
});
