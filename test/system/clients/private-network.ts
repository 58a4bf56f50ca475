import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, DevnetProcess, type Teardown } from '../../support/devnet.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { untilServed } from '../../support/until.js';

export type { Account, Teardown };

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const FULL_NODE = 'http://127.0.0.1:8090';
export const SOLIDITY_NODE = 'http://127.0.0.1:8091';
/** Address of the witness of `config/devnet.conf`. */
export const WITNESS = 'TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P';
/** Initial balance of every funded account, in SUN. */
export const FUNDS = 1_000_000_000_000_000;

/**
 * Starts a private network with blocks every 200 ms.
 * @returns the funded accounts
 */
export async function startPrivateNetwork(t: Teardown): Promise<readonly Account[]> {
  const network = new DevnetProcess(t, join(temporaryFolder(t), 'devnet'), 200);
  const served = untilServed('a first block', async () => {
    const block = await post<{ block_header: { raw_data: { number?: number } } }>('/wallet/getnowblock', {});
    // The first block may exist before all ports are open.
    return (block.block_header.raw_data.number ?? 0) > 0 && (await isOpen(8545)) && (await isOpen(50051));
  });
  await network.until(served);
  return network.accounts;
}

/** Returns true if a program listens on the port of this machine. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Sends an HTTP request to the node without a client library. Tests compare its answer with those of clients. */
export async function post<T>(path: string, body: object): Promise<T> {
  const reply = await fetch(`${FULL_NODE}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await reply.json()) as T;
}

/** Installs the clients that are not npm packages, if they are missing. @throws {Error} the installation fails */
export function prepareClients(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'test/system/clients/prepare.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the clients cannot be installed');
}

/** Runs a program in the folder of installed clients. @returns its output, parsed as JSON */
export async function runClient<T>(program: string, args: readonly string[], input: object): Promise<T> {
  return JSON.parse(await runProgram(program, args, JSON.stringify(input))) as T;
}

/**
 * Runs a program in the folder of installed clients.
 * @returns its output as text
 * @throws {Error} its exit code is not 0
 */
export async function runProgram(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(resolve(root, 'node_modules/.cache/tronicle-clients', program), args, {
    cwd: root,
    stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdin?.end(input);
  const code = await new Promise((done, reject) => {
    child.on('error', reject);
    child.on('close', done);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}${errors}`);
  return output;
}
