import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TronError } from '../../src/primitives/errors.js';

/** Thrown if the sources of a suite cannot be fetched. */
export class SuiteUnreachable extends TronError<'SUITE_UNREACHABLE'> {
  constructor(suite: string, cause: string) {
    super(
      'SUITE_UNREACHABLE',
      `${suite}: its sources cannot be had (${cause.trim()}): name a folder that has them, --suite-dir ${suite}=<folder>`,
    );
  }
}

/** Public source of a suite. It is used if the command line names no folder. */
export type PublicSource =
  | { readonly kind: 'git'; readonly url: string; readonly tag: string }
  | { readonly kind: 'pypi'; readonly project: string; readonly version: string }
  | { readonly kind: 'go'; readonly module: string; readonly manifest: string }
  | { readonly kind: 'folder'; readonly path: string };

/**
 * Replaces a folder by the sources of a suite.
 * @param localFolder folder with the sources, or bare git repository whose newest commit has them; undefined to fetch
 * the public source
 * @throws {SuiteUnreachable} the sources cannot be fetched
 */
export function bringSuite(suite: string, source: PublicSource, folder: string, localFolder?: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '..'), { recursive: true });
  if (localFolder === undefined) {
    bringPublic(suite, source, folder);
    return;
  }
  if (!existsSync(localFolder)) throw new SuiteUnreachable(suite, `there is no ${localFolder}`);
  if (existsSync(join(localFolder, 'objects'))) run(suite, 'git', ['clone', '--quiet', localFolder, folder]);
  else copySources(localFolder, folder);
}

function copySources(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !/\/(node_modules|\.git)$/.test(path) });
}

function bringPublic(suite: string, source: PublicSource, folder: string): void {
  switch (source.kind) {
    case 'git':
      run(suite, 'git', ['clone', '--quiet', '--depth', '1', '--branch', source.tag, source.url, folder]);
      return;
    case 'pypi':
      bringSdist(suite, `${source.project}==${source.version}`, folder);
      return;
    case 'go':
      bringModule(suite, source, folder);
      return;
    case 'folder':
      copySources(source.path, folder);
      return;
  }
}

/** Fetches a source distribution from PyPI. It contains the tests, while a wheel does not. */
function bringSdist(suite: string, requirement: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-binary', ':all:'];
  run(suite, 'python3', [...pip, '--dest', folder, requirement]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tar.gz'));
  if (archive === undefined) throw new SuiteUnreachable(suite, `no source distribution of ${requirement}`);
  run(suite, 'tar', ['xzf', archive, '--strip-components=1'], folder);
}

/** Fetches a Go module. Its version is in a manifest of this repository, and its checksum in go.sum. */
function bringModule(suite: string, { module, manifest }: PublicSource & { kind: 'go' }, folder: string): void {
  const output = run(suite, 'go', ['mod', 'download', '-json', module], manifest);
  const { Dir } = JSON.parse(output) as { Dir?: string };
  if (Dir === undefined) throw new SuiteUnreachable(suite, output);
  cpSync(Dir, folder, { recursive: true });
  // Go stores modules read-only, but the tests write to their folder.
  run(suite, 'chmod', ['-R', 'u+w', folder]);
}

function run(suite: string, command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new SuiteUnreachable(suite, error?.message ?? `${command}: ${stderr || stdout}`);
  return stdout;
}
