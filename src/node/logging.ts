import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { isLogLevel, LOG_LEVELS, type LogLevel } from '../config/log-levels.js';
import { ArgumentError, UsageError } from '../primitives/errors.js';
import { readableLines } from './readable-lines.js';

/**
 * Returns the log level from the first source that has one: the option, the variable `TRONICLE_LOG_LEVEL`, the
 * configuration key, the default `info`.
 * @throws {UsageError} unknown level
 */
export function logLevel({ option, key = 'info' }: { option?: string | undefined; key?: LogLevel } = {}): LogLevel {
  const [source, level] =
    option === undefined ? ['TRONICLE_LOG_LEVEL', process.env['TRONICLE_LOG_LEVEL'] ?? key] : ['--log-level', option];
  if (isLogLevel(level)) return level;
  const text = `invalid ${source}: ${level}; use ${LOG_LEVELS.join(', ')}`;
  throw option === undefined ? new UsageError(text) : new ArgumentError(text);
}

/** Counts error log lines by topic and error class. */
export class ErrorTally {
  private readonly counts = new Map<string, number>();

  /** Counts an error line. @param fields fields of the log line, or its message */
  note(fields: unknown): void {
    const key = `${topicOf(fields)}\n${typeOf(fields)}`;
    if (!this.counts.has(key) && this.counts.size >= KINDS_MAX) return;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Returns the counts since the previous call, and resets them. */
  take(): readonly { readonly topic: string; readonly type: string; readonly count: number }[] {
    const counts = [...this.counts].map(([key, count]) => {
      const [topic = '', type = ''] = key.split('\n');
      return { topic, type, count };
    });
    this.counts.clear();
    return counts;
  }
}

/**
 * Maximum number of counted pairs of topic and error class between two scrapes. Without a limit, the error classes of
 * libraries could make the number unbounded.
 */
const KINDS_MAX = 100;
/** Names of log fields. Each identifies the module that logged a line. */
const TOPICS = ['api', 'sink', 'projection'] as const;
const ERROR_LEVEL = 50;

/** Error counts of the loggers that this module created. */
const tallies = new WeakMap<Logger, ErrorTally>();

/** Returns the error tally of a logger; undefined for a logger created elsewhere. */
export function errorsOf(log: Logger): ErrorTally | undefined {
  return tallies.get(log);
}

/** Files of the file loggers that this module created. */
const files = new WeakMap<Logger, LogFile>();

/** Returns the number of lines that a file logger could not write; undefined if the logger does not write to a file. */
export function droppedLinesOf(log: Logger): number | undefined {
  return files.get(log)?.droppedLines;
}

function topicOf(fields: unknown): string {
  if (typeof fields !== 'object' || fields === null) return 'node';
  return TOPICS.find((topic) => topic in fields) ?? 'node';
}

/**
 * Returns the class name of a logged error. For a line without an error, returns the text `undefined`, as java-tron
 * does.
 */
function typeOf(fields: unknown): string {
  const error = fields instanceof Error ? fields : (fields as { err?: unknown } | null)?.err;
  if (error instanceof Error) return error.constructor.name;
  // An error from another thread is in serialized form.
  const { type } = (error ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : 'undefined';
}

function createLogger(stream: DestinationStream, level = logLevel()): Logger {
  const tally = new ErrorTally();
  const log = pino(
    {
      level,
      hooks: {
        logMethod(args, method, level) {
          if (level >= ERROR_LEVEL) tally.note(args[0]);
          method.apply(this, args);
        },
      },
    },
    stream,
  );
  tallies.set(log, tally);
  return log;
}

/** Creates the node's logger: JSON lines, or lines for a person on a terminal. */
export function createLog({ destination = 1, level }: { destination?: 1 | 2; level?: LogLevel } = {}): Logger {
  const out = pino.destination({ dest: destination, sync: true });
  return createLogger(isatty(destination) ? readableLines(out) : out, level);
}

/** Creates a file logger, for a node that writes events to standard output. Warnings also go to standard error. */
export function createFileLog(path: string, level = logLevel()): Logger {
  const file = new LogFile(path);
  const streams = [
    { level: streamLevel(level), stream: file },
    { level: 'warn' as const, stream: pino.destination({ dest: 2, sync: true }) },
  ];
  const log = createLogger(pino.multistream(streams), level);
  files.set(log, file);
  return log;
}

/**
 * Returns the level for a stream of pino. Streams have no level `silent`. For this level, the logger itself drops all
 * lines.
 */
function streamLevel(level: LogLevel): Level {
  return level === 'silent' ? 'fatal' : level;
}

/**
 * Maximum size of a log file, in bytes. A network with 3 s blocks logs about 200 MB a month, and old lines are rarely
 * read.
 */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Appends to a file. A full file is renamed to `<path>.1` and replaces the previous file of that name. */
export class LogFile {
  private readonly path: string;
  private readonly bytesMax: number;
  private descriptor: number;
  private bytes: number;
  private dropped = 0;

  constructor(path: string, bytesMax = FILE_BYTES_MAX) {
    this.path = path;
    this.bytesMax = bytesMax;
    this.descriptor = openSync(path, 'a');
    this.bytes = fstatSync(this.descriptor).size;
  }

  /** Number of lines that could not be written. */
  get droppedLines(): number {
    return this.dropped;
  }

  /**
   * Appends a line. Drops the line if the write fails, for example on a full disk, because logging must not end the
   * process.
   */
  write(line: string): void {
    try {
      this.append(line);
    } catch {
      this.dropped++;
    }
  }

  private append(line: string): void {
    if (this.bytes >= this.bytesMax) this.rotate();
    this.bytes += writeSync(this.descriptor, line);
  }

  /**
   * Renames the full file, opens a new one, and closes the full one. If the new file cannot be opened, the next write
   * tries again.
   */
  private rotate(): void {
    if (existsSync(this.path)) renameSync(this.path, `${this.path}.1`);
    const full = this.descriptor;
    this.descriptor = openSync(this.path, 'a');
    this.bytes = 0;
    closeSync(full);
  }
}
