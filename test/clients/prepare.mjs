// Makes the environments of what is no npm package: a virtual environment with tronpy, programs with gotron-sdk and with Prometheus' checks.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../deploy/prepare.mjs';

const sources = join(root, 'test/clients');
/** Below node_modules, where neither git nor Biome looks. */
const cache = join(root, 'node_modules/.cache/tronicle-clients');

mkdirSync(cache, { recursive: true });
preparePython();
prepareGo('gotron', 'test/clients/go');
prepareGo('promlint', 'test/deploy/promlint');

/** The copy of the requirements is written last: it says that the environment is whole. */
function preparePython() {
  const folder = join(cache, 'python');
  const requirements = join(sources, 'python/requirements.txt');
  const installed = join(folder, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8')) return;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  copyFileSync(requirements, installed);
}

/** Without C: neither needs it. An older Go fetches the toolchain that go.mod names. */
function prepareGo(name, folder) {
  run('go', ['build', '-o', join(cache, name), '.'], {
    cwd: join(root, folder),
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'auto' },
  });
}
