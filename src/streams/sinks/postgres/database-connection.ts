import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorText, TronError } from '../../../primitives/errors.js';
import { SinkError } from '../../sink-error.js';
import type { PostgresSinkOptions } from './postgres-options.js';

/** Thrown if the database rejected a statement or is not available. A retry can succeed. */
class PostgresError extends TronError<'POSTGRES_FAILED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('POSTGRES_FAILED', message, options);
  }
}

const CONNECT_MS = 10_000;
/** Maximum time of a statement in ms. It detects a server that no longer answers. */
const QUERY_MS = 60_000;
const END_MS = 2000;

/** SQLSTATE codes of a missing table, column or schema. */
const MISSING = new Set(['42P01', '42703', '3F000']);

/** One connection of a sink. An error closes the connection, which also aborts its transaction. */
export class DatabaseConnection {
  readonly client: pg.Client;
  private readonly options: PostgresSinkOptions;
  private failure: Error | undefined;

  constructor(options: PostgresSinkOptions) {
    this.options = options;
    this.client = new pg.Client({
      connectionString: options.url,
      application_name: `tronicle ${options.name}`,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
    });
    this.client.on('error', (error) => {
      this.failure ??= error;
    });
  }

  /** Connects to the server. Must be called within {@link attempt}. */
  async connect(): Promise<void> {
    await this.client.connect();
  }

  /**
   * Runs `work`, which executes SQL statements. Closes the connection after an error.
   * @throws {SinkError} a table, column or schema was deleted; or an error of this type that `work` has thrown
   * @throws {PostgresError} any other error of the database
   */
  async attempt<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    try {
      if (this.failure !== undefined) throw this.failure;
      return await work(this.client);
    } catch (error) {
      await this.close();
      throw this.named(error);
    }
  }

  /** Closes the connection. Waits for the server at most {@link END_MS}. */
  async close(): Promise<void> {
    const end = new AbortController();
    const ended = this.client.end().catch(() => undefined);
    await Promise.race([ended, sleep(END_MS, undefined, { signal: end.signal }).catch(() => undefined)]);
    end.abort();
  }

  /** Returns an error that contains user and database, but never the password. */
  private named(error: unknown): unknown {
    if (error instanceof TronError) return error;
    const { user, host, port, database } = this.client;
    const { code } = error as { readonly code?: string };
    const text = `PostgreSQL ${user}@${host}:${port}/${database}: ${textOf(error)}${code === undefined ? '' : ` (${code})`}`;
    const { schema, name } = this.options;
    if (code === undefined || !MISSING.has(code)) {
      const remedy = remedyFor(code, schema);
      return new PostgresError(remedy === undefined ? text : `${text}; ${remedy}`, { cause: error });
    }
    return new SinkError(
      `${text}; a part of schema ${schema} was deleted: restore this part, or drop the schema and run ` +
        `'tronicle stream resume ${name}' to write everything again`,
      { cause: error },
    );
  }
}

/** Returns the message of an error. If a host has several addresses, returns the message of the first connection. */
function textOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const text = errorText(first);
  // The text of the client library for a statement without an answer.
  return text === 'Query read timeout' ? `no answer within ${QUERY_MS / 1000} s; check the database server` : text;
}

/** Actions of the operator, by the first characters of the SQLSTATE code of an error. The first match applies. */
const REMEDIES: readonly (readonly [code: string, remedy: (schema: string) => string])[] = [
  ['08', () => 'check the database server'],
  ['25006', () => 'set the URL of the primary server, or allow writes in the database'],
  ['28', () => 'check user and password of the URL, and pg_hba.conf of the server'],
  ['3D000', () => 'create the database, or set another database in the URL'],
  ['42501', () => 'grant the right to the user of the sink'],
  ['53100', () => 'free disk space on the database server'],
  ['53', () => 'raise the limit in the configuration of the database server'],
  ['57014', () => 'raise statement_timeout of the user of the sink'],
  ['55P03', (schema) => `another session locks a table of schema ${schema}; end its transaction (pg_stat_activity)`],
  ['22P05', () => "the encoding of the database must be UTF8: set a new database, created with encoding 'UTF8'"],
  ...['22', '23', '42', '55000'].map(
    (code) =>
      [
        code,
        (schema: string) =>
          `schema ${schema} has tables, columns or constraints that this node did not create; undo this change, or ` +
          'set another schema for the sink',
      ] as const,
  ),
];

function remedyFor(code: string | undefined, schema: string): string | undefined {
  if (code === undefined) return undefined;
  return REMEDIES.find(([start]) => code.startsWith(start))?.[1](schema);
}
