import pino, { type Logger } from 'pino';

/** The node's log: JSON lines, `TRONICLE_LOG_LEVEL` sets the level (info). A level means what an operator should do. */
export function createLog({ destination = 1 }: { destination?: 1 | 2 } = {}): Logger {
  const level = process.env['TRONICLE_LOG_LEVEL'] ?? 'info';
  return pino({ level }, pino.destination({ dest: destination, sync: true }));
}
