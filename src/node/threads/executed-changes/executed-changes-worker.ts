import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { PastChangesAnswer } from '../../../streams/follow/past-changes.js';
import { ExecutedChanges, type ExecutedChangesOptions } from './executed-changes.js';

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const { name, ...options } = workerData as ExecutedChangesOptions & { readonly name: string };
  const executed = new ExecutedChanges(options, name);
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (number: number): Promise<PastChangesAnswer> => {
    try {
      return { record: await executed.recordOf(number) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  port.on('message', (message: number | 'close') => {
    if (message === 'close') executed.stop();
    last = last.then(async () => {
      if (message !== 'close') return port.postMessage(await answer(message));
      await executed.close();
      port.close();
    });
  });
}
