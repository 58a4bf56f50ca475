import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPytest } from './reports.js';
import { runLogged, runOrFail, type Suite } from './suite.js';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Test packages that tronpy's development group requires. */
const TOOLS = ['pytest<9', 'pytest-asyncio', 'pytest-cov', 'freezegun'];

/**
 * The tests of tronpy, which were written for Nile, a public test network of TRON. They run with pytest over HTTP. The
 * gateway replaces Nile's contract addresses and transaction ids by those of the private network
 * (`test-net-likeness.ts`).
 */
export const tronpySuite: Suite = {
  name: 'tronpy',
  version: '0.6.2',
  source: { kind: 'pypi', project: 'tronpy', version: '0.6.2' },
  run: async ({ folder, logFile, gatewayPort }) => {
    const python = join(folder, '.venv/bin/python');
    await runOrFail(logFile, { command: 'python3', args: ['-m', 'venv', '.venv'], cwd: folder });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await runOrFail(logFile, { command: python, args: [...pip, '.[mnemonic,offline]', ...TOOLS], cwd: folder });
    const report = join(folder, 'report.ndjson');
    await runLogged(logFile, {
      command: python,
      args: ['-m', 'pytest', '-p', 'pytest_suite', '--no-cov', 'tests'],
      cwd: folder,
      env: { PYTHONPATH: here, SUITE_NODE: `http://127.0.0.1:${gatewayPort}`, SUITE_REPORT: report },
    });
    return readPytest(readFileSync(report, 'utf8'));
  },
};
