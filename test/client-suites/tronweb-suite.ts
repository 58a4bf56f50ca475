import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS_KEY } from './foreign-network.js';
import { readMocha } from './reports.js';
import { runLogged, runOrFail, type Suite } from './suite.js';

/** Number of accounts that the test script of TronWeb requires. */
const ACCOUNTS = 100;
/**
 * Development dependencies of the suite's tests in Node.js. The suite's dependencies for browsers are not installed.
 */
const NEEDED = new Set(
  '@types/chai @types/mocha @types/node @types/semver @types/validator chai chalk mocha typescript'.split(' '),
);

interface Manifest {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides?: object;
}

/** The tests of TronWeb, which were written for TronBox's runtime. They run with mocha over HTTP. */
export const tronWebSuite: Suite = {
  name: 'tronweb',
  version: '6.3.0',
  source: { kind: 'git', url: 'https://github.com/tronprotocol/tronweb.git', tag: 'v6.3.0' },
  run: async ({ folder, logFile, gatewayPort }) => {
    trimManifest(join(folder, 'package.json'));
    rmSync(join(folder, 'package-lock.json'), { force: true });
    const npm = (...args: string[]) => runOrFail(logFile, { command: 'npm', args, cwd: folder });
    await npm('install', '--ignore-scripts', '--no-audit', '--no-fund');
    await npm('run', 'build:test');
    const built = join(folder, 'lib/commonjs/test');
    cpSync(join(built, 'setup/node.js'), join(built, 'setup/TronWeb.js'));
    const reply = await fetch(
      `http://127.0.0.1:${gatewayPort}/admin/temporary-accounts-generation?accounts=${ACCOUNTS}`,
    );
    if (!reply.ok) throw new Error(`no accounts for TronWeb: ${await reply.text()}`);
    const report = join(folder, 'report.json');
    await runLogged(logFile, {
      command: join(folder, 'node_modules/.bin/mocha'),
      args: [
        'lib/commonjs/test/**/*.test.js',
        ...['--timeout', '120000', '--exit'],
        ...['--reporter', 'json', '--reporter-option', `output=${report}`],
      ],
      cwd: folder,
      env: { HOST_PORT: String(gatewayPort), PRIVATE_KEY: WITNESS_KEY },
    });
    return readMocha(readFileSync(report, 'utf8'));
  },
};

function trimManifest(file: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  delete manifest.scripts['prepare'];
  delete manifest.overrides;
  manifest.devDependencies = Object.fromEntries(
    Object.entries(manifest.devDependencies).filter(([name]) => NEEDED.has(name)),
  );
  writeFileSync(file, JSON.stringify(manifest, undefined, 2));
}
