import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { freePort } from '../../support/free-port.js';
import { untilServed } from '../../support/until.js';

/** Rows of the example's tables, sorted by their first field. */
export interface PonderFacts {
  readonly transfers: readonly Readonly<Record<string, unknown>>[];
  readonly accounts: readonly Readonly<Record<string, unknown>>[];
  readonly vaults: readonly Readonly<Record<string, unknown>>[];
}

interface PonderOptions {
  readonly folder: string;
  readonly logFile: string;
  /** Path of the Node.js program that runs Ponder. */
  readonly node: string;
  readonly rpcUrl: string;
}

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

const QUERY = `{
  transfers(orderBy: "id", limit: 1000) { items { block transaction from to value energy balanceAfter } }
  accounts(orderBy: "address", limit: 1000) { items { address balance } }
  vaults(orderBy: "address", limit: 1000) { items { address owner deposited deposits total } }
  _meta { status }
}`;

/** A process of Ponder with its embedded database. */
export class PonderProcess {
  private readonly child: ChildProcess;
  private readonly url: string;
  private output = '';

  private constructor({ folder, logFile, node, rpcUrl }: PonderOptions, port: number) {
    this.url = `http://127.0.0.1:${port}/`;
    const program = 'node_modules/ponder/dist/esm/bin/ponder.js';
    this.child = spawn(node, [program, 'start', '--schema', 'example', '--port', String(port)], {
      cwd: folder,
      env: { ...process.env, PONDER_RPC_URL: rpcUrl, PONDER_TELEMETRY_DISABLED: '1', DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(logFile, { flags: 'a' });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk;
        log.write(chunk);
      });
    this.child.on('close', () => log.end());
  }

  static async start(options: PonderOptions): Promise<PonderProcess> {
    const ponder = new PonderProcess(options, await freePort());
    await untilServed('the end of the backfill', async () => (await fetch(`${ponder.url}ready`)).ok);
    return ponder;
  }

  /** Waits until Ponder has indexed a height. Returns the rows of its tables. */
  async factsAt(height: number): Promise<PonderFacts> {
    return untilServed(`block ${height} in Ponder`, async () => {
      const reply = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: QUERY }),
      });
      const { data } = (await reply.json()) as {
        data: Record<keyof PonderFacts, Page> & { _meta: { status: { tron: { block: { number: number } } } } };
      };
      if (data._meta.status.tron.block.number < height) return undefined;
      return { transfers: data.transfers.items, accounts: data.accounts.items, vaults: data.vaults.items };
    });
  }

  /** Returns the lines of warnings and errors. */
  complaints(): string[] {
    return this.output.split('\n').filter((line) => /\b(WARN|ERROR|FATAL)\b/.test(line));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await ended;
  }
}
