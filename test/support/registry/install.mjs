// Installs Apicurio Registry with Maven into target/app, unless it is installed. Two processes may install at once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = join(here, 'target/app');

if (!existsSync(folder)) {
  mkdirSync(join(here, 'target'), { recursive: true });
  const part = mkdtempSync(join(here, 'target/part-'));
  const options = ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dapp.dir=${join(part, 'app')}`];
  execFileSync('mvn', [...options, 'package'], { stdio: ['ignore', 2, 2] });
  // The folder appears when it is complete.
  if (!existsSync(folder)) renameSync(join(part, 'app'), folder);
  rmSync(part, { recursive: true, force: true });
}
