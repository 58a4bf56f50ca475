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

/** Installs packages, also those of the build and of the tests, and builds if needed. */
export function prepare() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const isComplete = toolNames().every((name) => existsSync(join(root, 'node_modules', name)));
  if (!isComplete || !existsSync(installed) || isNewer(join(root, 'package-lock.json'), installed))
    run('npm', ['ci', '--no-audit', '--no-fund']);
  const built = join(root, 'dist', '.built');
  const sources = ['src', 'proto', 'tsconfig.json', 'package-lock.json'];
  if (!existsSync(built) || sources.some((source) => isNewer(join(root, source), built))) run('npm', ['run', 'build']);
}

/**
 * Returns the names of all development packages. All must be checked: `npm ci --omit=dev` installs some of them,
 * because packages of the node need them.
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
