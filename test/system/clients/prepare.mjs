// Installs the programs of the tests that are not npm dependencies of this repository: tronpy, web3.py, gotron-sdk,
// tools of Ethereum, checks of Prometheus, DuckDB, the Go consumer.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../../deploy/prepare.mjs';

const sources = join(root, 'test/system/clients');
/** Folder of the installed programs. It is in node_modules, which git and Biome ignore. */
const cache = join(root, 'node_modules/.cache/tronicle-clients');

mkdirSync(cache, { recursive: true });
preparePython('python', 'requirements.txt');
preparePython('web3', 'web3.txt');
preparePython('duckdb', 'duckdb.txt');
prepareEthereum();
// A newer release of Node.js. Some tests need functions that the oldest supported release does not have.
prepareNpm('node');
prepareGo('gotron', 'test/system/clients/go');
prepareGo('geth', 'test/system/clients/geth');
prepareGo('promlint', 'test/system/deploy/promlint');
prepareGo('deposits', 'deploy/consumers/go');

/**
 * Installs the packages of a list. The copy of the list is written last, so its presence shows that the installation is
 * complete.
 */
function preparePython(name, list) {
  const folder = join(cache, name);
  const requirements = join(sources, 'python', list);
  const installed = join(folder, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8')) return;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  copyFileSync(requirements, installed);
}

/**
 * Installs the Ethereum tools. They are not dependencies of this package, because a node runs without them. They have
 * no lock file, because registries do not have the programs for all machines. Hardhat's program for this machine is
 * installed explicitly, because npm skips it without an error.
 */
function prepareEthereum() {
  prepareNpm('ethereum', (folder) => {
    const edr = join(folder, 'node_modules/@nomicfoundation/edr/package.json');
    const { version } = JSON.parse(readFileSync(edr, 'utf8'));
    const libc = process.platform === 'linux' ? '-gnu' : '';
    return [`@nomicfoundation/edr-${process.platform}-${process.arch}${libc}@${version}`];
  });
}

/** Installs the packages of `<name>/package.json`. @param others returns packages that are installed afterwards */
function prepareNpm(name, others = () => []) {
  const folder = join(cache, name);
  const [wanted, installed] = [join(sources, name, 'package.json'), join(folder, 'installed.json')];
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8')) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(wanted, join(folder, 'package.json'));
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--silent'];
  run('npm', install, { cwd: folder });
  for (const other of others(folder)) run('npm', [...install, other], { cwd: folder });
  copyFileSync(wanted, installed);
}

/** Builds a Go program without C code. An older Go downloads the toolchain that go.mod requires. */
function prepareGo(name, folder) {
  run('go', ['build', '-o', join(cache, name), '.'], {
    cwd: join(root, folder),
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'auto' },
  });
}
