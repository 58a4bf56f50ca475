import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));
/** Written by the build; absent when the program runs from its sources. */
const COMMIT = fileURLToPath(new URL('../commit', import.meta.url));

/**
 * Returns the text of `--version`.
 * @param release java-tron release that the node emulates without `tronicle.release`
 */
export function versionText(release: string): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  const commit = existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8').trim() : '';
  return [
    `tronicle ${version}`,
    `emulates java-tron ${release} by default`,
    `commit ${commit === '' ? 'unknown' : commit}`,
    `Node.js ${process.versions.node}`,
  ].join('\n');
}
