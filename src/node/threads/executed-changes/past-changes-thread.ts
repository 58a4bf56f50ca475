import type { Logger } from 'pino';
import type { PastChanges } from '../../../streams/follow/past-changes.js';
import { WorkerHandle } from '../../workers/worker-handle.js';
import type { ExecutedChangesOptions } from './executed-changes.js';

/** What a thread that executes blocks again is started with; plain data, so that it may come from another thread. */
export interface PastChangesThreadSource {
  /** URL of the compiled worker. */
  readonly file: string;
  readonly data: ExecutedChangesOptions;
}

/** Executes in a thread of its own: whoever asks goes on with other work. */
export class PastChangesThread implements PastChanges {
  private readonly worker: WorkerHandle<never, number>;

  constructor({ file, data }: PastChangesThreadSource, { name, log }: { readonly name: string; readonly log: Logger }) {
    this.worker = new WorkerHandle({
      file: new URL(file),
      data: { ...data, name },
      name: 'the thread that executes blocks again',
      log,
    });
  }

  recordOf(number: number): Promise<Uint8Array> {
    return this.worker.link.request(number);
  }

  /** Once it has removed its state. */
  close(): Promise<void> {
    return this.worker.close(Number.POSITIVE_INFINITY);
  }
}
