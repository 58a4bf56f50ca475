import type { ClientBase } from 'pg';

/**
 * Time in ms after which the server ends a transaction whose process sends nothing. The server then releases the locks
 * of the transaction.
 */
const IDLE_MS = 60_000;

/**
 * Time limit in ms within which a statement must get its locks. To add a partition, the sink locks its table for a
 * moment. Until the sink gets this lock, PostgreSQL blocks new readers of the table.
 */
const LOCK_MS = 5000;

/**
 * Begins a transaction with time limits.
 *
 * The limits belong to the transaction, not to the connection, because a connection pooler such as PgBouncer refuses
 * them as startup parameters, and may use another server connection for the next transaction.
 */
export async function begin(client: ClientBase): Promise<void> {
  await client.query(
    `begin; set local lock_timeout = ${LOCK_MS}; set local idle_in_transaction_session_timeout = ${IDLE_MS}`,
  );
}
