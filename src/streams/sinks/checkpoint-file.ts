import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.js';
import type { BlockPosition } from '../follow/block-position.js';
import { SinkError } from '../sink-error.js';

/** Stored position of a sink: the last forwarded block, and for an NDJSON file its length in bytes at that time. */
export interface StoredCheckpoint extends BlockPosition {
  readonly bytes?: number;
  /** True if the sink is a complete backfill, which needs no more log entries. */
  readonly isDone?: boolean;
  /** Set if a Kafka topic lost records while the sink was open. */
  readonly lost?: LostRecords;
}

/** A partition of a Kafka topic that lost records. */
export interface LostRecords {
  readonly topic: string;
  readonly partition: number;
  /**
   * Offset of the last record that the sink sent before it noticed the loss. The transaction of this record was
   * aborted. While the partition contains this offset, it was not restored.
   */
  readonly offset: string;
}

/**
 * Name of the file with the sinks that were changed at run time. The file is in the folder of the checkpoints, so no
 * sink may have this name.
 */
const CHANGES = 'sinks';

/** Returns the path of the file with the sinks that were changed while the node was running. */
export function sinkChangesFileOf(dataDir: string): string {
  return checkpointFileOf(dataDir, CHANGES);
}

/** Returns true if a sink may have this name. The name of a sink is the name of its checkpoint file. */
export function isNameOfSink(name: string): boolean {
  return name !== CHANGES;
}

/** Returns the path of the checkpoint file of a sink. */
export function checkpointFileOf(dataDir: string, name: string): string {
  return join(dataDir, 'streams', `${encodeURIComponent(name)}.json`);
}

/** Checkpoint of a sink, with the path of its file. */
interface SinkCheckpoint {
  readonly file: string;
  /** Position after which the sink resumes; undefined for the start of the log. */
  readonly position: BlockPosition | undefined;
}

/**
 * Returns the checkpoints of all sinks of a data folder. Includes removed sinks; excludes complete backfills.
 * @throws {SinkError} a file is malformed
 */
export function checkpointsOfSinks(dataDir: string): SinkCheckpoint[] {
  const folder = join(dataDir, 'streams');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (!entry.isFile() || !file.endsWith('.json') || file === sinkChangesFileOf(dataDir)) return [];
    const checkpoint = new CheckpointFile(file).read();
    return checkpoint?.isDone === true ? [] : [{ file, position: checkpoint }];
  });
}

/** File of a {@link StoredCheckpoint}. Writes are atomic: after a kill, the file has the old or the new content. */
export class CheckpointFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Reads the checkpoint; undefined if the file does not exist. @throws {SinkError} the file is malformed */
  read(): StoredCheckpoint | undefined {
    if (!existsSync(this.path)) return undefined;
    try {
      const { seq, number, id, bytes, isDone, lost } = JSON.parse(readFileSync(this.path, 'utf8')) as StoredCheckpoint;
      if (Number.isSafeInteger(seq) && Number.isSafeInteger(number) && /^[0-9a-f]{64}$/.test(id)) {
        const position = { seq, number, id, ...(bytes !== undefined && { bytes }) };
        return { ...position, ...(isDone === true && { isDone }), ...(lost !== undefined && { lost }) };
      }
    } catch (cause) {
      throw this.damaged(cause);
    }
    throw this.damaged(undefined);
  }

  write({ seq, number, id, bytes, isDone, lost }: StoredCheckpoint): void {
    replaceFile(this.path, `${JSON.stringify({ seq, number, id, bytes, isDone, lost })}\n`);
  }

  /**
   * Marks a backfill as complete, so that the log entries after its checkpoint can be pruned.
   * @throws {SinkError} the file is malformed
   */
  finish(): void {
    const checkpoint = this.read();
    if (checkpoint !== undefined) this.write({ ...checkpoint, isDone: true });
  }

  private damaged(cause: unknown): SinkError {
    return new SinkError(
      `${this.path} is not a valid checkpoint of a sink; delete the file: the sink then resumes at the position in its target, or at its first block if the target stores no position`,
      { cause },
    );
  }
}
