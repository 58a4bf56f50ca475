// `npm test`: installs what is missing on a fresh machine, builds, checks form and types, runs every test, and ends with
// "N passed, N failed". Exit code 0 only when nothing failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from '../deploy/prepare.mjs';

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

/** Lines of a failure that are shown: a difference of two blocks can have thousands. */
const MOST_LINES = 60;

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) stop(`Node 20 or later is needed, this is ${process.versions.node}.`);
installTools();
prepare();
if (!existsSync(join(broker, 'target/jars'))) run(join(broker, 'kafka.sh'), ['install']);
run('node', ['test/clients/prepare.mjs']);
run('npx', ['biome', 'check', '.']);
run('npx', ['tsc', '--noEmit']);
const { passed, failed, failures } = runTests(process.argv.slice(2));
for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

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

/** Counts of assertions over all files, and what failed; a file that ends badly counts as one failure. */
function runTests(files) {
  const report = join(tmpdir(), `tronicle-tap-${process.pid}.tap`);
  const { status } = spawnSync('npx', ['tap', 'run', `--output-file=${report}`, '--reporter=terse', ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const lines = readFileSync(report, 'utf8').split('\n');
  rmSync(report, { force: true });
  // Points of the innermost tests: those that a plan of their own does not follow are the files themselves.
  const points = lines.filter((line) => /^ {8,}(not )?ok \d/.test(line) || /^ {4}(not )?ok \d/.test(line));
  const failed = points.filter((line) => /^ *not ok/.test(line)).length;
  return {
    passed: points.length - failed,
    failed: status === 0 ? failed : Math.max(1, failed),
    failures: failedPoints(lines),
  };
}

/**
 * Every failed point with what the report says of it, last in the output: a log that is cut keeps its end. A point that
 * only sums up the failed ones inside it (a file, a test of tests) is one line.
 */
function failedPoints(lines) {
  return lines.flatMap((line, index) => {
    if (!/^ *not ok/.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const told = [line];
    for (const next of lines.slice(index + 1, index + 1 + MOST_LINES)) {
      if (next.trim() !== '' && next.length - next.trimStart().length <= indent) break;
      told.push(next);
    }
    return told;
  });
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
