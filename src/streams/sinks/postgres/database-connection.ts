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
/** Maximum time of a statement in ms, so that a server that no longer answers is noticed. */
const QUERY_MS = 60_000;
/** Time in ms after which the server ends a transaction whose process sends nothing. It then releases its locks. */
const IDLE_MS = 60_000;
const END_MS = 2000;

/** SQLSTATE codes of a missing table, column or schema. */
const MISSING = new Set(['42P01', '42703', '3F000']);

/**
 * Begins a transaction. A statement waits at most 5 s for a lock: a new partition needs its table for a moment, and
 * readers would queue behind a longer wait.
 */
export const BEGIN = "begin; set local lock_timeout = '5s'";

/** One connection of a sink. After an error it is closed, which also aborts its transaction. */
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
      idle_in_transaction_session_timeout: IDLE_MS,
      keepAlive: true,
    });
    this.client.on('error', (error) => {
      this.failure ??= error;
    });
  }

  /** Performs statements. Closes the connection after an error. @throws {SinkError} @throws {PostgresError} */
  async attempt<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    try {
      if (this.failure !== undefined) throw this.failure;
      return await work(this.client);
    } catch (error) {
      await this.close();
      throw this.named(error);
    }
  }

  /** Closes the connection. Waits at most {@link END_MS} for the server. */
  async close(): Promise<void> {
    const end = new AbortController();
    const ended = this.client.end().catch(() => undefined);
    await Promise.race([ended, sleep(END_MS, undefined, { signal: end.signal }).catch(() => undefined)]);
    end.abort();
  }

  /** Returns the error with user and database. The message never contains the password. */
  private named(error: unknown): unknown {
    if (error instanceof TronError) return error;
    const { user, host, port, database } = this.client;
    const { code } = error as { readonly code?: string };
    const text = `PostgreSQL ${user}@${host}:${port}/${database}: ${textOf(error)}${code === undefined ? '' : ` (${code})`}`;
    if (code === undefined || !MISSING.has(code)) return new PostgresError(text, { cause: error });
    const { schema, name } = this.options;
    return new SinkError(
      `${text}; a part of schema ${schema} was deleted: restore it, or drop the schema and run ` +
        `'tronicle stream resume ${name}' to write everything again`,
      { cause: error },
    );
  }
}

/** Returns the message of an error. A refused connection to several addresses has one error per address. */
function textOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return errorText(first);
}
