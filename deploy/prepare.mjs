// Makes a fresh clone runnable: installs the packages of package-lock.json and builds the sources. Does nothing if both
// are up to date.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program of this checkout with its output on standard error. Ends the process with one sentence on a failure.
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
 * Installs and builds if needed.
 * @param hasTools also installs the packages of tests and checks, about 330 of 750
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

/** All of them are asked for: a package that the node needs can bring one of them along without the others. */
function toolNames() {
  return Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies);
}

/** Whether a file, or any file below a folder, was changed after another. */
function isNewer(path, than) {
  const stats = statSync(path);
  if (stats.mtimeMs > statSync(than).mtimeMs && !stats.isDirectory()) return true;
  if (!stats.isDirectory()) return false;
  return readdirSync(path).some((name) => name !== 'generated' && isNewer(join(path, name), than));
}
