import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));
/** File with the commit hash, written by the build. It does not exist when the program runs from its sources. */
const COMMIT = fileURLToPath(new URL('../commit', import.meta.url));

interface BuildInfo {
  readonly version: string;
  /** Hash of the built commit. It is `unknown` for an npm package, or when the program runs from its sources. */
  readonly commit: string;
  /** Version of Node.js. */
  readonly node: string;
}

export function buildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  const commit = existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8').trim() : '';
  return { version, commit: commit === '' ? 'unknown' : commit, node: process.versions.node };
}

/**
 * Returns the text of `--version`.
 * @param release java-tron release that the node emulates if `tronicle.release` is not set
 */
export function versionText(release: string): string {
  const { version, commit, node } = buildInfo();
  return [
    `tronicle ${version}`,
    `emulates java-tron ${release} by default`,
    `commit ${commit}`,
    `Node.js ${node}`,
  ].join('\n');
}
