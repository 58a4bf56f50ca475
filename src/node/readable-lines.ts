import type { DestinationStream } from 'pino';

/** Names of pino's levels by number. */
const NAMES: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Returns a stream that converts JSON log lines to text for a person: time, level, message, fields. */
export function readableLines(out: DestinationStream): DestinationStream {
  return { write: (line) => out.write(readable(line)) };
}

function readable(line: string): string {
  const { level, time, pid, hostname, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = NAMES[Number(level)] ?? String(level);
  const texts = Object.entries(fields).map(([field, value]) => `${field}=${textOf(value)}`);
  const head = [timeText(Number(time)), name.padEnd(5), String(msg), ...texts].join(' ').trimEnd();
  return `${head}\n${errorLines(err)}`;
}

/** Returns the local date and time with milliseconds. */
function timeText(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().replace('T', ' ').replace('Z', '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** Returns the stack of a logged error, indented by four spaces. Without a stack, returns its message. */
function errorLines(err: unknown): string {
  if (err === undefined) return '';
  const { stack, message } = (err ?? {}) as { readonly stack?: string; readonly message?: string };
  const text = stack ?? message ?? JSON.stringify(err);
  return `${text.replaceAll(/^/gm, '    ')}\n`;
}
