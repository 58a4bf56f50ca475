import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import pino, { type Level, type Logger } from 'pino';

const levelOf = (): Level => (process.env['TRONICLE_LOG_LEVEL'] ?? 'info') as Level;

/** The node's log: JSON lines, `TRONICLE_LOG_LEVEL` sets the level (info). A level means what an operator should do. */
export function createLog({ destination = 1 }: { destination?: 1 | 2 } = {}): Logger {
  return pino({ level: levelOf() }, pino.destination({ dest: destination, sync: true }));
}

/** The log in a file, for a node whose standard output is for events; warnings and errors also go to standard error. */
export function createFileLog(path: string): Logger {
  const level = levelOf();
  const streams = [
    { level, stream: new LogFile(path) },
    { level: 'warn' as const, stream: pino.destination({ dest: 2, sync: true }) },
  ];
  return pino({ level }, pino.multistream(streams));
}

/** A month of a network with a block every 3 s has some 200 MB; the newest of it is what anybody looks at. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Appends to a file; a full one becomes `<path>.1`, in the place of the one before. */
export class LogFile {
  private readonly path: string;
  private readonly bytesMax: number;
  private descriptor: number;
  private bytes: number;

  constructor(path: string, bytesMax = FILE_BYTES_MAX) {
    this.path = path;
    this.bytesMax = bytesMax;
    this.descriptor = openSync(path, 'a');
    this.bytes = fstatSync(this.descriptor).size;
  }

  write(line: string): void {
    if (this.bytes >= this.bytesMax) {
      closeSync(this.descriptor);
      renameSync(this.path, `${this.path}.1`);
      this.descriptor = openSync(this.path, 'a');
      this.bytes = 0;
    }
    this.bytes += writeSync(this.descriptor, line);
  }
}
