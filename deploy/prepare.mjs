// Makes a new clone runnable. Installs the packages of package-lock.json and builds the sources. Does nothing if both
// are up to date.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program in this checkout. Its output goes to standard error. If it fails, prints one sentence and ends the
 * process.
 */
export function run(command, args, options = {}) {
  try {
    execFileSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  } catch (error) {
    console.error(`${command} ${args.join(' ')} failed (${error.status ?? error.code}).`);
    process.exit(1);
  }
}

/**
 * Installs packages and builds if needed.
 * @param hasTools true to also install the packages of tests and checks, about 330 of 750
 */
export function prepare({ hasTools }) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lacksTools = hasTools && toolNames().some((name) => !existsSync(join(root, 'node_modules', name)));
  if (lacksTools || !existsSync(installed) || isNewer(join(root, 'package-lock.json'), installed)) {
    run('npm', ['ci', '--no-audit', '--no-fund', ...(hasTools ? [] : ['--omit=dev'])]);
  }
  const built = join(root, 'dist', '.built');
  const sources = ['src', 'proto', 'tsconfig.json', 'package-lock.json'];
  if (!existsSync(built) || sources.some((source) => isNewer(join(root, source), built))) run('npm', ['run', 'build']);
}

/**
 * Returns the names of all development packages. All must be checked: a package that the node needs may have installed
 * one of them without the others.
 */
function toolNames() {
  return Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies);
}

/** Returns true if a file, or a file in a folder, was changed after the file `than`. */
function isNewer(path, than) {
  const stats = statSync(path);
  if (stats.mtimeMs > statSync(than).mtimeMs && !stats.isDirectory()) return true;
  if (!stats.isDirectory()) return false;
  return readdirSync(path).some((name) => name !== 'generated' && isNewer(join(path, name), than));
}
