// `npm test` installs missing tools on a fresh machine, builds, checks format and types, and runs every test. The last
// line is "N passed, N failed". The exit code is 0 only if no test failed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, run } from '../deploy/prepare.mjs';
import { otherFiles, runFiles } from './file-runs.mjs';
import { runUnitFiles, unitFiles } from './unit.mjs';

/** External programs that the tests use, with their Debian packages. */
const TOOLS = [
  { command: 'java', args: ['-version'], packages: ['openjdk-17-jdk-headless'] },
  { command: 'mvn', args: ['-version'], packages: ['maven'] },
  { command: 'python3', args: ['-c', 'import venv, ensurepip'], packages: ['python3', 'python3-venv'] },
  { command: 'go', args: ['version'], packages: ['golang-go'] },
  { command: 'chromium', args: ['--version'], packages: ['chromium'] },
  { command: 'zsh', args: ['--version'], packages: ['zsh'] },
  { command: 'fish', args: ['--version'], packages: ['fish'] },
];

/** The Kafka broker of the tests. Maven downloads its jars once. */
const broker = join(root, 'test/support/kafka');

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) stop(`Node ${process.versions.node} is too old; install Node 20 or later`);
installTools();
prepare();
if (!existsSync(join(broker, 'target/jars'))) run(join(broker, 'kafka.sh'), ['install']);
run('node', ['test/system/clients/prepare.mjs']);
run('npx', ['biome', 'check', '.']);
run('npx', ['cspell', 'lint', '--quiet']);
run('npx', ['tsc', '--noEmit']);
run('npx', ['tsc', '--noEmit', '-p', 'src/light-client']);
const names = process.argv.slice(2);
const units = await runUnitFiles(unitFiles(names));
const rest = await runFiles(otherFiles(names));
const results = [...units, ...rest];
const bad = results.filter(({ isGood }) => !isGood);
// A file that fails in parallel and passes alone still counts as failed, because its ports, waits or time limits are
// wrong. The output shows both results.
const slow = bad.filter(({ name }) => rest.some((file) => file.name === name)).map(({ name }) => name);
const again = await runFiles(slow, 1);
for (const { name, failures } of bad) {
  const passesAlone = again.some((file) => file.name === name && file.isGood);
  console.log(
    `${name} failed${passesAlone ? ' in parallel, and passed when repeated alone' : ''}:\n${failures.join('\n')}`,
  );
}
const sum = (of) => results.reduce((total, file) => total + file[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);

function installTools() {
  const missing = TOOLS.filter(({ command, args }) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0);
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages);
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error !== undefined) {
    stop(
      `missing programs: ${missing.map(({ command }) => command).join(', ')}; install the Debian packages ${packages.join(' ')}`,
    );
  }
  run('apt-get', ['update', '-q']);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
