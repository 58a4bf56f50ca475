import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';
import { runTronicle } from '../support/tronicle.js';
import type { Figures } from './figures.js';
import { measureSteady, type Span, type TimedRun, timedRun } from './timed-run.js';

const main = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));

/** Interval of checks if a node answers, in ms. */
const POLL_MS = 50;

/**
 * Syncs a chain from one node over loopback. Compares the rate with that of an import. The first third of the chain is
 * excluded.
 * @param importPerSecond transactions per second of the import
 */
export async function syncBench(folder: string, span: Span, importPerSecond: number, figures: Figures): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'tronicle-sync-'));
  try {
    const [data, source] = [join(work, 'served'), join(work, 'source.conf')];
    await writeConfig(source, folder, []);
    const imported = await runTronicle(['import', join(folder, 'blocks.ndjson.gz'), '-c', source, '-d', data]);
    if (imported.code !== 0) throw new Error(imported.stderr);
    const { perSecond, processorMs } = await measureSteady(span, (height) => syncOnce(folder, work, data, height));
    const ratio = perSecond / importPerSecond;
    console.log(
      `   synced from one peer: ${perSecond.toFixed(0)} tx/s, ${ratio.toFixed(2)} × the import, ` +
        `${(processorMs * 1000).toFixed(1)} µs of processors for each`,
    );
    figures.note('bench-transfer: sync from one peer', perSecond, 'tx/s', ratio);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Syncs the chain with a new node. Each run needs a new node, because a node rejects a recently disconnected address
 * for a while.
 */
async function syncOnce(folder: string, work: string, data: string, height: number): Promise<TimedRun> {
  const [port, own] = [await freePort(), await freePort()];
  const served = await writeConfig(join(work, 'served.conf'), folder, [`node.listen.port = ${port}`]);
  const server = spawn(process.execPath, [main, 'run', '-c', served.file, '-d', data], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    while (!(await accepts(served.http))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const lines = [
      `node.listen.port = ${own}`,
      `node.active = ["127.0.0.1:${port}"]`,
      `node.shutdown.BlockHeight = ${height}`,
    ];
    const { file } = await writeConfig(join(work, 'synced.conf'), folder, lines);
    return await timedRun(['run', '-c', file]);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** Writes the configuration of the chain with few servers, free ports and additional lines. Returns its path. */
async function writeConfig(
  file: string,
  folder: string,
  lines: readonly string[],
): Promise<{ readonly file: string; readonly http: number }> {
  const [full, solidity, pbft, http] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const quiet = [
    `node.http { fullNodeEnable = false, solidityEnable = false, PBFTPort = ${http} }`,
    `node.rpc { port = ${full}, solidityPort = ${solidity}, PBFTPort = ${pbft} }`,
    'node.jsonrpc { httpFullNodeEnable = false, httpSolidityEnable = false, httpPBFTEnable = false }',
    'node.discovery { enable = false, external.ip = "127.0.0.1" }',
    'tronicle.http.enable = false',
  ];
  writeFileSync(file, [readFileSync(join(folder, 'config.conf'), 'utf8'), ...quiet, ...lines, ''].join('\n'));
  return { file, http };
}
