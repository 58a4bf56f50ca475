import type { Logger } from 'pino';

const LEVELS = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' } as const;

/** Writes a log line that another thread has sent to this thread's log. */
export function relayChannel(log: Logger, line: string): void {
  const {
    level,
    time: _time,
    pid: _pid,
    hostname: _host,
    msg,
    ...fields
  } = JSON.parse(line) as Record<string, unknown>;
  log[LEVELS[level as keyof typeof LEVELS] ?? 'info'](fields, String(msg ?? ''));
}
