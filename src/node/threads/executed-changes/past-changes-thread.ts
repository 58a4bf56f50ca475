import type { Logger } from 'pino';
import type { PastChanges } from '../../../streams/follow/past-changes.js';
import { WorkerHandle } from '../../workers/worker-handle.js';
import type { ExecutedChangesOptions } from './executed-changes-options.js';

/**
 * Start data of a thread that executes blocks again. It is plain data, so it can be sent to the thread that starts the
 * executing thread.
 */
export interface PastChangesThreadSource {
  /** URL of the compiled worker. */
  readonly file: string;
  readonly data: ExecutedChangesOptions;
}

/** Executes blocks again in a separate thread, so that the caller is not blocked. */
export class PastChangesThread implements PastChanges {
  private readonly worker: WorkerHandle<never, number>;

  constructor({ file, data }: PastChangesThreadSource, { name, log }: { readonly name: string; readonly log: Logger }) {
    this.worker = new WorkerHandle({
      file: new URL(file),
      data: { ...data, name },
      name: 'replay thread',
      log,
    });
  }

  recordOf(number: number): Promise<Uint8Array> {
    return this.worker.link.request(number);
  }

  /** Resolves when the temporary state is deleted. */
  close(): Promise<void> {
    return this.worker.close(Number.POSITIVE_INFINITY);
  }
}
