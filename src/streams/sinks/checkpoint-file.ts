import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.js';
import type { BlockPosition } from '../follow/block-position.js';
import { SinkError } from '../sink-error.js';

/** What the node itself remembers of a sink: the last block passed on, and of an NDJSON file how long it was then. */
export interface StoredCheckpoint extends BlockPosition {
  readonly bytes?: number;
  /** A back-fill that came to its end: it reads nothing any more, and holds nothing. */
  readonly isDone?: boolean;
}

/** Beside the places of sinks: what was changed of sinks while the node ran. No sink has its name. */
const CHANGES = 'sinks';

/** What was changed of the sinks of a data folder while the node ran. */
export function sinkChangesFileOf(dataDir: string): string {
  return checkpointFileOf(dataDir, CHANGES);
}

/** Whether a sink may have a name: its place has a file of it. */
export function isNameOfSink(name: string): boolean {
  return name !== CHANGES;
}

/** Where the node remembers how far a sink has come. */
export function checkpointFileOf(dataDir: string, name: string): string {
  return join(dataDir, 'streams', `${encodeURIComponent(name)}.json`);
}

/** A sink that goes on at a place, by the file that says so. */
interface HeldPlace {
  readonly file: string;
  /** Entry of the log behind which it goes on; -1: the first. */
  readonly seq: number;
}

/**
 * Where the sinks of a data folder go on, whether they are still configured or not; none of a back-fill that came to
 * its end.
 * @throws {SinkError} a file that no sink wrote
 */
export function checkpointsOfSinks(dataDir: string): HeldPlace[] {
  const folder = join(dataDir, 'streams');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (!entry.isFile() || !file.endsWith('.json') || file === sinkChangesFileOf(dataDir)) return [];
    const place = new CheckpointFile(file).read();
    return place?.isDone === true ? [] : [{ file, seq: place?.seq ?? -1 }];
  });
}

/** A {@link StoredCheckpoint} in a file that is either the old one or the new one, whenever the process is killed. */
export class CheckpointFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws {SinkError} a file that this class did not write */
  read(): StoredCheckpoint | undefined {
    if (!existsSync(this.path)) return undefined;
    try {
      const { seq, number, id, bytes, isDone } = JSON.parse(readFileSync(this.path, 'utf8')) as StoredCheckpoint;
      if (Number.isSafeInteger(seq) && Number.isSafeInteger(number) && /^[0-9a-f]{64}$/.test(id)) {
        return { seq, number, id, ...(bytes !== undefined && { bytes }), ...(isDone === true && { isDone }) };
      }
    } catch (cause) {
      throw this.damaged(cause);
    }
    throw this.damaged(undefined);
  }

  write({ seq, number, id, bytes, isDone }: StoredCheckpoint): void {
    replaceFile(this.path, `${JSON.stringify({ seq, number, id, bytes, isDone })}\n`);
  }

  /** Says that the sink, which is at its end, holds nothing any more. @throws {SinkError} */
  finish(): void {
    const place = this.read();
    if (place !== undefined) this.write({ ...place, isDone: true });
  }

  private damaged(cause: unknown): SinkError {
    return new SinkError(
      `${this.path} does not hold the place of a sink: delete it to let the sink go on from what has arrived there`,
      { cause },
    );
  }
}
