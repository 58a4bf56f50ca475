import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import secp256k1 from 'secp256k1';
import { freePort } from './free-port.js';
import { temporaryFolder } from './temporary-folder.js';
import { type NodeProgram, startTronicle } from './tronicle.js';
import { untilServed } from './until.js';

export interface Devnet {
  readonly dataDir: string;
  readonly rpcUrl: string;
  /** URL of the status page. */
  readonly pageUrl: string;
  readonly accounts: readonly Account[];
  /** Returns the port that the network uses instead of a port of `config/devnet.conf`. */
  port(ofTemplate: number): number;
  /** Sends a POST request to a path of the HTTP API. Returns the decoded answer. */
  post<T>(path: string, body: object): Promise<T>;
  /**
   * Calls a JSON-RPC method and returns its result.
   * @throws {Error} the answer is an error
   */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Sends a request to the admin interface. */
  admin<T>(path: string, body?: object): Promise<T>;
  readonly pid: number;
  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void;
  /** Stops the network and waits until its process has ended. */
  stop(): Promise<void>;
}

/** Ports of `config/devnet.conf`. */
const PORTS = ['8090', '8091', '8092', '50051', '50061', '50071', '8545', '8555', '8565', '8080', '8089', '18890'];

export interface Account {
  readonly address: string;
  readonly privateKey: string;
}

export interface Teardown {
  teardown(run: () => void | Promise<void>): void;
}

/** A process that runs `tronicle devnet`. It is stopped at the end of the test. */
export class DevnetProcess {
  /** Resolves to the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  private readonly child: ReturnType<typeof startTronicle>;
  private output = '';

  constructor(
    t: Teardown,
    dataDir: string,
    blockTimeMs: number,
    { program, logLevel }: Pick<DevnetOptions, 'program' | 'logLevel'> = {},
  ) {
    const level = logLevel === undefined ? [] : ['--log-level', logLevel];
    this.child = startTronicle(['devnet', '--data', dataDir, '--block-time', String(blockTimeMs), ...level], {
      program,
    });
    this.ended = new Promise((resolve) => this.child.on('exit', resolve));
    t.teardown(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
    this.child.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
    this.child.stderr?.pipe(process.stderr);
  }

  /** Returns the funded accounts that the process has printed. */
  get accounts(): readonly Account[] {
    return [...this.output.matchAll(/^ {2}(T\w{33}) {2}([0-9a-f]{64})$/gm)].map(([, address, privateKey]) => ({
      address: address!,
      privateKey: privateKey!,
    }));
  }

  /**
   * Waits until `served` resolves.
   * @throws {Error} the process ended first
   */
  async until(served: Promise<unknown>): Promise<void> {
    const early = this.ended.then((code) => Promise.reject(new Error(`the private network ended with ${code}`)));
    await Promise.race([served, early]);
  }

  get pid(): number {
    return this.child.pid!;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Stops the process with a signal and waits until it has ended. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

interface DevnetOptions {
  readonly blockTimeMs?: number;
  /** Data folder of an earlier run. Default: a new folder. */
  readonly dataDir?: string;
  /** Changes the text of the configuration of a new network. */
  readonly edit?: (config: string) => string;
  /** Release of Node.js that runs the network. Default: the release that runs the test. */
  readonly program?: NodeProgram;
  /** Log level. Default: only errors. */
  readonly logLevel?: 'info';
}

/** Starts `tronicle devnet` on free ports, so that several networks can run on one machine. */
export async function startDevnet(
  t: Teardown,
  {
    blockTimeMs = 3000,
    dataDir = join(temporaryFolder(t), 'devnet'),
    edit = (config) => config,
    ...options
  }: DevnetOptions = {},
): Promise<Devnet> {
  const ports = await configure(dataDir, blockTimeMs, edit);
  const network = new DevnetProcess(t, dataDir, blockTimeMs, options);
  const rpcUrl = `http://127.0.0.1:${ports.get('8545')}/jsonrpc`;
  const json = async <T>(url: string, body: object | undefined, headers = {}): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(url, {
      ...init,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    });
    return (await reply.json()) as T;
  };
  const devnet: Devnet = {
    dataDir,
    rpcUrl,
    pageUrl: `http://127.0.0.1:${ports.get('8080')}/`,
    get accounts() {
      return network.accounts;
    },
    port: (ofTemplate) => ports.get(String(ofTemplate)) ?? ofTemplate,
    post: (path, body) => json(`http://127.0.0.1:${ports.get('8090')}${path}`, body),
    rpc: async <T>(method: string, params: readonly unknown[] = []) => {
      const { result, error } = await json<{ result: T; error?: { code: number; message: string } }>(rpcUrl, {
        jsonrpc: '2.0',
        id: 1,
        method,
        params,
      });
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    admin: (path, body) =>
      json(`http://127.0.0.1:${ports.get('8089')}${path}`, body, { authorization: 'Bearer secret' }),
    pid: network.pid,
    signal: (signal) => network.signal(signal),
    stop: () => network.stop(),
  };
  await network.until(untilServed('blocks', async () => Number(await devnet.rpc<string>('eth_blockNumber')) > 2));
  return devnet;
}

/**
 * Writes the configuration with free ports. Later calls with the same data folder use the same ports again.
 * @returns map from each port of the template to the free port that replaces it
 */
async function configure(
  dataDir: string,
  blockTimeMs: number,
  edit: (config: string) => string,
): Promise<ReadonlyMap<string, number>> {
  const [file, known] = [join(dataDir, 'devnet.conf'), join(dataDir, 'ports.json')];
  if (existsSync(known)) return new Map(JSON.parse(readFileSync(known, 'utf8')) as [string, number][]);
  const ports = new Map<string, number>();
  for (const port of PORTS) ports.set(port, await freePort());
  const template = readFileSync(new URL('../../config/devnet.conf', import.meta.url), 'utf8');
  const genesisTime = (Math.floor(Date.now() / blockTimeMs) - 4) * blockTimeMs;
  const config = template
    .replaceAll('{{genesisTime}}', String(genesisTime))
    .replace('blockTime = 3000', `blockTime = ${blockTimeMs}`)
    .replace(/(?<=port = |Port = |tcp\/)\d+/gi, (port) => String(ports.get(port) ?? port))
    .replace('admin { enable = true', 'admin { token = "secret", enable = true');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, edit(config));
  writeFileSync(known, JSON.stringify([...ports]));
  return ports;
}

/** A transaction as the HTTP API builds it, before it is signed. */
export interface BuiltTransaction {
  readonly txID: string;
  readonly raw_data_hex: string;
  /**
   * Address in hex of the new contract, for the creation of a contract. It is in hex even if the request has
   * `visible`.
   */
  readonly contract_address?: string;
}

/** Answer to a broadcast. */
interface BroadcastAnswer {
  /** True if the node accepted the transaction. */
  readonly result?: boolean;
  /** Code of the reason if the node rejected the transaction. */
  readonly code?: string;
}

/**
 * Builds a transaction over the HTTP API. A contract call is built like any other transaction.
 * @throws {Error} the answer contains no transaction
 */
export async function buildTransaction(
  devnet: Devnet,
  path: string,
  { address }: Account,
  body: object,
): Promise<BuiltTransaction> {
  const answer = await devnet.post<BuiltTransaction & { readonly transaction?: BuiltTransaction }>(path, {
    owner_address: address,
    visible: true,
    ...body,
  });
  // The answer to a contract call contains the transaction in the field `transaction`. Other answers are the
  // transaction itself.
  const built = answer.transaction ?? answer;
  if (built.txID === undefined) throw new Error(`${path} built no transaction: ${JSON.stringify(answer)}`);
  return built;
}

/** Signs a transaction with the key of an account, and sends it. Returns the answer of the node. */
export function signAndBroadcast(
  devnet: Devnet,
  built: BuiltTransaction,
  { privateKey }: Account,
): Promise<BroadcastAnswer> {
  const { signature, recid } = secp256k1.ecdsaSign(Buffer.from(built.txID, 'hex'), Buffer.from(privateKey, 'hex'));
  const signed = Buffer.concat([signature, Buffer.of(27 + recid)]).toString('hex');
  return devnet.post('/wallet/broadcasttransaction', { ...built, signature: [signed] });
}

/**
 * Builds, signs and sends a transaction of the first funded account. Then produces a block that contains the
 * transaction.
 * @returns the id of the transaction
 */
export async function sendTransaction(devnet: Devnet, path: string, body: object): Promise<string> {
  const [owner] = devnet.accounts as [Account];
  const built = await buildTransaction(devnet, path, owner, body);
  const sent = await signAndBroadcast(devnet, built, owner);
  if (sent.result !== true) throw new Error(JSON.stringify(sent));
  await devnet.rpc('evm_mine');
  return built.txID;
}
