import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareClients } from '../../system/clients/private-network.js';
import type { TestResult } from '../reports.js';
import { runOrFail, type Suite, type SuiteRun } from '../suite.js';
import { chainFacts, type Deployment, readDeployment } from './chain-facts.js';
import { type PonderFacts, PonderProcess } from './ponder-process.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Oldest release of Node.js that Ponder supports. */
const NODE_MAJOR = 22;
/**
 * Number of blocks before Ponder starts. Ponder treats the newest 30 blocks as not final, and reads older blocks with
 * its backfill.
 */
const BACKFILLED = 40;
/** Number of blocks after the revert. It exceeds the number of blocks in the reverted branch. */
const AFTER_REORG = 25;

/**
 * Runs Ponder with the unchanged example of `deploy/consumers/ponder`. Compares its tables with the receipts of the
 * node's HTTP interface after the backfill, while blocks arrive, and after a reorg.
 */
export const ponderSuite: Suite = {
  name: 'ponder',
  version: '0.17.7',
  source: { kind: 'folder', path: join(root, 'deploy/consumers/ponder') },
  run: async (run) => {
    const { folder, logFile } = run;
    const node = newNode();
    const npm = ['install', '--omit=dev', '--no-audit', '--no-fund', '--silent'];
    await runOrFail(logFile, { command: 'npm', args: npm, cwd: folder });
    const send = (script: string): Promise<void> =>
      runOrFail(logFile, { command: node, args: [script], cwd: folder, env: { TRON_NODE: nodeUrl(run) } });
    await send('deploy.mjs');
    await request(run, 'evm_mine', { blocks: BACKFILLED });
    const ponder = await PonderProcess.start({ folder, logFile, node, rpcUrl: run.rpcUrl });
    try {
      return await compareAll(run, ponder, () => send('activity.mjs'));
    } finally {
      await ponder.stop();
    }
  },
};

async function compareAll(run: SuiteRun, ponder: PonderProcess, act: () => Promise<void>): Promise<TestResult[]> {
  const deployment = readDeployment(run.folder);
  const results = await compare(run, ponder, deployment, 'backfill');
  await act();
  results.push(...(await compare(run, ponder, deployment, 'live')));
  const snapshot = await request<string>(run, 'evm_snapshot');
  await act();
  results.push(...(await compare(run, ponder, deployment, 'reverted branch')));
  await request(run, 'evm_revert', snapshot);
  await request(run, 'evm_mine', { blocks: AFTER_REORG });
  results.push(...(await compare(run, ponder, deployment, 'reorg')));
  const complaints = ponder.complaints();
  // Ponder logs a reorg as a warning, which is expected.
  const isQuiet = complaints.every((line) => /reorg/i.test(line));
  results.push(resultOf('log without warnings', isQuiet, complaints));
  return results;
}

/** Waits until Ponder has indexed the head. Compares each table with the expected rows. */
async function compare(
  run: SuiteRun,
  ponder: PonderProcess,
  deployment: Deployment,
  phase: string,
): Promise<TestResult[]> {
  const head = Number(await request<string>(run, 'eth_blockNumber'));
  const [expected, seen] = [await chainFacts(nodeUrl(run), deployment, head), await ponder.factsAt(head)];
  return (Object.keys(expected) as (keyof PonderFacts)[]).map((table) => {
    const [want, got] = [expected[table], seen[table]].map((rows) => JSON.stringify(rows));
    return resultOf(`${phase}: ${table}`, want === got && expected[table].length > 0, { want, got });
  });
}

function resultOf(name: string, isGood: boolean, details: unknown): TestResult {
  return isGood ? { name, outcome: 'passed' } : { name, outcome: 'failed', message: JSON.stringify(details) };
}

const nodeUrl = ({ gatewayPort }: SuiteRun): string => `http://127.0.0.1:${gatewayPort}`;

async function request<T>({ rpcUrl }: SuiteRun, method: string, ...params: readonly unknown[]): Promise<T> {
  const reply = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await reply.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Returns the path of a Node.js that Ponder supports: that of this process, or that of the installed clients. */
function newNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  prepareClients();
  return join(root, 'node_modules/.cache/tronicle-clients/node/node_modules/node/bin/node');
}
