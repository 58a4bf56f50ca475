// Installs the programs of `npm run registry`, unless they are installed: Apicurio Registry with Maven into `target`, and
// Confluent's Python client into a folder that git and Biome ignore.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../deploy/prepare.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(here, 'target');

mkdirSync(target, { recursive: true });
installRegistry(join(target, 'app'));
installClient(join(root, 'node_modules/.cache/tronicle-clients/registry'), join(here, 'requirements.txt'));

function installRegistry(folder) {
  if (existsSync(folder)) return;
  const part = join(target, 'part');
  rmSync(part, { recursive: true, force: true });
  run('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dapp.dir=${part}`, 'package']);
  // The folder appears when it is complete.
  renameSync(part, folder);
}

/** The copy of the list is written last, so its presence shows that the installation is complete. */
function installClient(folder, list) {
  const installed = join(folder, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(list, 'utf8')) return;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', list]);
  copyFileSync(list, installed);
}

function run(command, args) {
  execFileSync(command, args, { stdio: ['ignore', 2, 2] });
}
