// `npm test`: installs missing tools on a fresh machine, builds, checks format and types, and runs every test. The last
// line is "N passed, N failed". The exit code is 0 only if no test failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from '../deploy/prepare.mjs';
import { readReport } from './tap-report.mjs';
import { runUnitFiles, unitFiles } from './unit.mjs';

/** External programs that the tests use, with their Debian packages. */
const TOOLS = [
  { command: 'java', args: ['-version'], packages: ['openjdk-17-jdk-headless'] },
  { command: 'mvn', args: ['-version'], packages: ['maven'] },
  { command: 'python3', args: ['-c', 'import venv, ensurepip'], packages: ['python3', 'python3-venv'] },
  { command: 'go', args: ['version'], packages: ['golang-go'] },
  { command: 'chromium', args: ['--version'], packages: ['chromium'] },
];

/** The Kafka broker of the tests. Maven downloads its jars once. */
const broker = join(root, 'test/support/kafka');

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) stop(`Node ${process.versions.node} is too old; install Node 20 or later`);
installTools();
prepare({ hasTools: true });
if (!existsSync(join(broker, 'target/jars'))) run(join(broker, 'kafka.sh'), ['install']);
run('node', ['test/system/clients/prepare.mjs']);
run('npx', ['biome', 'check', '.']);
run('npx', ['cspell', 'lint', '--quiet']);
run('npx', ['tsc', '--noEmit']);
run('npx', ['tsc', '--noEmit', '-p', 'src/light-client']);
const names = process.argv.slice(2);
const units = await runUnitFiles(unitFiles(names));
const others = names.filter((name) => units.every((unit) => !unit.name.includes(name)));
const rest = names.length > 0 && others.length === 0 ? [] : runFiles(others);
const results = [...units, ...rest];
const bad = results.filter(({ isGood }) => !isGood);
// A test that fails in parallel and passes alone still counts as failed: its ports, waits or time limits are wrong. The
// output shows both results.
const slow = bad.filter(({ name }) => rest.some((file) => file.name === name)).map(({ name }) => name);
const again = slow.length === 0 ? [] : runFiles(slow, '--jobs=1');
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

/** Runs the given test files, or all without an argument. @returns the result of each file */
function runFiles(files, ...options) {
  const report = join(tmpdir(), `tronicle-tap-${process.pid}.tap`);
  const { status } = spawnSync(
    'npx',
    ['tap', 'run', `--output-file=${report}`, '--reporter=terse', ...options, ...files],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const found = readReport(readFileSync(report, 'utf8'));
  rmSync(report, { force: true });
  const isReported = found.some(({ isGood }) => !isGood);
  if (status !== 0 && !isReported) stop(`tap exited with ${status}, but its report contains no failed file`);
  return found;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
