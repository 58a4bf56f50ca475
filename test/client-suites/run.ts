import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/primitives/errors.js';
import { AccountBank } from './account-bank.js';
import { type ExpectedFailure, type Judgement, judge } from './checker.js';
import { startForeignNetwork } from './foreign-network.js';
import { startGateway } from './gateway.js';
import { gotronSuite } from './gotron-suite.js';
import { ponderSuite } from './ponder/ponder-suite.js';
import type { Suite, SuiteRun } from './suite.js';
import { bringSuite, SuiteUnreachable } from './suite-source.js';
import { makeLikeness } from './test-net-likeness.js';
import { tronpySuite } from './tronpy-suite.js';
import { tronWebSuite } from './tronweb-suite.js';

// Runs `npm run foreign`: test suites of TRON clients by other authors, against a private network of this node. See
// README.md.

const SUITES: readonly Suite[] = [tronWebSuite, tronpySuite, gotronSuite, ponderSuite];
/** Work folder. It is outside of this repository, because compilers also use type declarations of parent folders. */
const work = join(tmpdir(), 'tronicle-foreign');

async function main(): Promise<number> {
  const { suites, folders } = readWords();
  const table = JSON.parse(readFileSync(new URL('failures.json', import.meta.url), 'utf8')) as ExpectedFailure[];
  for (const suite of suites) bringSuite(suite.name, suite.source, join(work, suite.name), folders.get(suite.name));
  let isGood = true;
  for (const suite of suites) isGood = (await runSuite(suite, table)) && isGood;
  return isGood ? 0 : 1;
}

function readWords(): { suites: readonly Suite[]; folders: ReadonlyMap<string, string> } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'suite-dir': { type: 'string', multiple: true, default: [] } },
  });
  const suiteOf = (name: string | undefined): Suite => {
    const found = SUITES.find((suite) => suite.name === name);
    if (found !== undefined) return found;
    throw new UsageError(
      `npm run foreign -- [${SUITES.map((one) => one.name).join('] [')}] [--suite-dir <name>=<folder>]…`,
    );
  };
  const given = values['suite-dir'].map((pair) => {
    const [name, folder = ''] = pair.split('=');
    return [suiteOf(name).name, folder] as const;
  });
  return { suites: positionals.length === 0 ? SUITES : positionals.map(suiteOf), folders: new Map(given) };
}

/**
 * Runs a suite on a new network, because tests of a suite fail on a chain that another suite has changed.
 * @returns true if all results match the table of expected failures
 */
async function runSuite(suite: Suite, table: readonly ExpectedFailure[]): Promise<boolean> {
  const { name, version } = suite;
  const logFile = join(work, `${name}.log`);
  rmSync(logFile, { force: true });
  process.stdout.write(`${name} ${version} runs, its output goes to ${logFile}\n`);
  const results = await onNetwork((network) => suite.run({ ...network, folder: join(work, name), logFile }));
  writeFileSync(join(work, `${name}.json`), JSON.stringify(results, undefined, 1));
  const judgement = judge(name, results, table);
  process.stdout.write(`${summaryOf(`${name} ${version}`, judgement)}\n`);
  return results.length > 0 && judgement.unexpected.length === 0 && judgement.fixed.length === 0;
}

async function onNetwork<T>(run: (network: Omit<SuiteRun, 'folder' | 'logFile'>) => Promise<T>): Promise<T> {
  const teardowns: (() => void | Promise<void>)[] = [];
  try {
    const network = await startForeignNetwork({ teardown: (end) => void teardowns.push(end) });
    const ports = { full: network.port(8090), solidity: network.port(8091) };
    const bank = new AccountBank(`http://127.0.0.1:${ports.full}`, network.accounts[0]!.privateKey);
    const likeness = await makeLikeness(bank);
    const gateway = await startGateway(ports, { bank, aliases: likeness.aliases });
    teardowns.push(() => gateway.close());
    return await run({
      gatewayPort: gateway.port,
      rpcUrl: network.rpcUrl,
      grpcPort: network.port(50051),
      likeness,
    });
  } finally {
    for (const end of teardowns.reverse()) await end();
  }
}

function summaryOf(suite: string, { tests, passed, failed, skipped, unexpected, fixed }: Judgement): string {
  const counts = `${tests} tests, ${passed} passed, ${failed} failed (${failed - unexpected.length} as expected), ${skipped} skipped`;
  return [
    `${suite}: ${counts}`,
    ...unexpected.map(
      ({ name, message = '' }) => `  failed: ${name}\n    ${message.trim().replaceAll('\n', '\n    ')}`,
    ),
    ...fixed.map((name) => `  expected to fail, but did not: ${name}`),
  ].join('\n');
}

main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    const isExpected = error instanceof SuiteUnreachable || error instanceof UsageError;
    process.stderr.write(`${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    process.exitCode = 2;
  });
