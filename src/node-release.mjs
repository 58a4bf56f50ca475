// Checks the release of Node.js before any other file of the program is loaded, because an old release cannot load
// those files. So this file, and each file that imports it, uses only syntax of Node.js 12.

/**
 * Returns true if this process runs a supported release of Node.js. Otherwise prints one sentence, sets the exit code
 * of a failure, and returns false.
 * @param engines oldest supported release, in the form of `engines` in package.json: `>=20.12`
 */
export function requireNode(engines) {
  const needed = engines.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return true;
  console.error(`Tronicle needs Node.js ${needed} or later; this is Node.js ${process.versions.node}`);
  process.exitCode = 1;
  return false;
}
