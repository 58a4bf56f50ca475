// `npm test`: installs what is missing on a fresh machine, builds, checks form and types, runs every test, and ends
// with "N passed, N failed". Exit code 0 only when nothing failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from '../deploy/prepare.mjs';
import { readReport } from './tap-report.mjs';
import { runUnitFiles, unitFiles } from './unit.mjs';

/** Programs that tests drive, and the Debian packages that bring them. */
const TOOLS = [
  { command: 'java', args: ['-version'], packages: ['openjdk-17-jdk-headless'] },
  { command: 'mvn', args: ['-version'], packages: ['maven'] },
  { command: 'python3', args: ['-c', 'import venv, ensurepip'], packages: ['python3', 'python3-venv'] },
  { command: 'go', args: ['version'], packages: ['golang-go'] },
  { command: 'chromium', args: ['--version'], packages: ['chromium'] },
];

/** The Kafka broker of the tests: its jars come from Maven, once. */
const broker = join(root, 'test/support/kafka');

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) stop(`Node 20 or later is needed, this is ${process.versions.node}.`);
installTools();
prepare({ hasTools: true });
if (!existsSync(join(broker, 'target/jars'))) run(join(broker, 'kafka.sh'), ['install']);
run('node', ['test/system/clients/prepare.mjs']);
run('npx', ['biome', 'check', '.']);
run('npx', ['tsc', '--noEmit']);
run('npx', ['tsc', '--noEmit', '-p', 'src/light-client']);
const names = process.argv.slice(2);
const units = await runUnitFiles(unitFiles(names));
const others = names.filter((name) => units.every((unit) => !unit.name.includes(name)));
const rest = names.length > 0 && others.length === 0 ? [] : runFiles(others);
const results = [...units, ...rest];
const bad = results.filter(({ isGood }) => !isGood);
// What fails beside others and passes alone is a failure too: of its ports, its waits or its bounds. Both outcomes are
// told.
const slow = bad.filter(({ name }) => rest.some((file) => file.name === name)).map(({ name }) => name);
const again = slow.length === 0 ? [] : runFiles(slow, '--jobs=1');
for (const { name, failures } of bad) {
  const passesAlone = again.some((file) => file.name === name && file.isGood);
  console.log(
    `${name} failed${passesAlone ? ' beside others, and passed when run once more, alone' : ''}:\n${failures.join('\n')}`,
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
      `These programs are missing: ${missing.map(({ command }) => command).join(', ')} (Debian: ${packages.join(' ')}).`,
    );
  }
  run('apt-get', ['update', '-q']);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Runs test files (all of them when none is named). @returns what the report says of each */
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
  const isTold = found.some(({ isGood }) => !isGood);
  if (status !== 0 && !isTold) stop(`tap ended with ${status}, but its report names no file that failed.`);
  return found;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
