import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.js';
import type { ScaleFigures } from './scale-figures.js';
import { accountAt, scaleChain } from './scale-source.js';

const main = fileURLToPath(new URL('../../../dist/node/main.js', import.meta.url));
/** Interval of polls of a starting node, and their time limit, both in ms. */
const [POLL_MS, TIMEOUT_MS] = [20, 300_000];
const TIMES = 50;
/** A request, with a pattern that its answer must match. The pattern excludes empty answers from the measurement. */
type Question = readonly [name: string, path: string, body: unknown, mustHold: RegExp];

/** A node that answers. */
interface StartedNode {
  readonly http: number;
  readonly own: number;
  /** Time from the start of the process to the first answer, in ms. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts a node on a data folder. Resolves when the node answers. */
export async function startNode(dataDir: string): Promise<StartedNode> {
  const [http, own] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [main, 'run', '-c', writeConfig(dataDir, http, own), '-d', dataDir], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const started = performance.now();
  try {
    await firstAnswer(`http://127.0.0.1:${http}/wallet/getnowblock`, started);
  } catch (error) {
    await stop();
    throw error;
  }
  return { http, own, startMs: performance.now() - started, stop };
}

/**
 * Starts a node on a large data folder while the full data check runs. Measures the time to the first answer and the
 * time of each list request.
 */
export async function measureServing(dataDir: string, accounts: number, figures: ScaleFigures): Promise<void> {
  const { http, own, startMs, stop } = await startNode(dataDir);
  try {
    const parts: string[] = [];
    for (const [name, path, body, mustHold] of questions(accounts)) {
      const url = `http://127.0.0.1:${path.startsWith('/graphql') ? own : http}${path}`;
      const { first, median } = await measureQuestion(url, body, mustHold);
      parts.push(`${name} ${first.toFixed(1)}, ${median.toFixed(1)}`);
      figures.compare(`answer, ${name}`, median, 'ms');
    }
    console.log(
      `   serving: first answer after ${(startMs / 1000).toFixed(2)} s; ${parts.join(', ')} (ms: first, median)`,
    );
    figures.compare('start', startMs / 1000, 's');
  } finally {
    await stop();
  }
}

function questions(accounts: number): readonly Question[] {
  const address = accountAt(accounts >> 1, accounts).toString('hex');
  const graphql = (query: string): unknown => ({ query });
  return [
    ['getaccount', '/wallet/getaccount', { address }, /"balance"/],
    ['listwitnesses', '/wallet/listwitnesses', {}, /"voteCount"/],
    ['getassetissuelist', '/wallet/getassetissuelist', {}, /"Token|546f6b656e/],
    ['a page of 1,000 assets', '/wallet/getpaginatedassetissuelist', { offset: 5_000, limit: 1_000 }, /546f6b656e/],
    ['GraphQL witnesses', '/graphql', graphql('{witnesses(first:100){nodes{address voteCount}}}'), /voteCount/],
    ['GraphQL assets', '/graphql', graphql('{assets(first:100){nodes{id name}}}'), /Token/],
    ['GraphQL account', '/graphql', graphql(`{account(address:"${address}"){balance}}`), /123456789|balance/],
  ];
}

interface AnswerTimes {
  /** Time of the first answer, in ms. The other member is in ms too. */
  readonly first: number;
  readonly median: number;
}

async function measureQuestion(url: string, body: unknown, mustHold: RegExp): Promise<AnswerTimes> {
  const times: number[] = [];
  for (let at = 0; at < TIMES; at++) {
    const started = performance.now();
    const reply = await request(url, body);
    times.push(performance.now() - started);
    if (!mustHold.test(reply)) throw new Error(`${url}: ${reply.slice(0, 200)}`);
  }
  const first = times[0] ?? 0;
  times.sort((a, b) => a - b);
  return { first, median: times[times.length >> 1] ?? 0 };
}

async function request(url: string, body: unknown): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.text();
}

async function firstAnswer(url: string, started: number): Promise<void> {
  for (;;) {
    try {
      if ((await request(url, {})).includes('block_header')) return;
    } catch (error) {
      if (performance.now() - started > TIMEOUT_MS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Writes the configuration of the chain. It has free ports and no peers. */
function writeConfig(dataDir: string, http: number, own: number): string {
  const file = join(dataDir, 'serving.conf');
  const text = readFileSync(join(scaleChain, 'config.conf'), 'utf8');
  const servers = [
    `node.http { fullNodePort = ${http}, solidityEnable = false, PBFTEnable = false }`,
    'node.rpc { enable = false, solidityEnable = false, PBFTEnable = false }',
    'node.jsonrpc { httpFullNodeEnable = false, httpSolidityEnable = false, httpPBFTEnable = false }',
    `tronicle.http.port = ${own}`,
  ];
  writeFileSync(file, [text, ...servers, ''].join('\n'));
  return file;
}
