import { WorkerContext } from '../../workers/worker-context.js';
import { ExecutedChanges } from './executed-changes.js';
import type { ExecutedChangesOptions } from './executed-changes-options.js';

const side = WorkerContext.here<ExecutedChangesOptions & { readonly name: string }>();
if (side !== undefined) {
  const { name, ...options } = side.data;
  const executed = new ExecutedChanges(options, name);
  // Executes one block at a time. A close waits for the block in execution.
  let last: Promise<unknown> = Promise.resolve();
  const link = side.link<never, never, never, number>({
    answer: (number) => {
      const record = last.then(() => executed.recordOf(number));
      last = record.catch(() => undefined);
      return record;
    },
  });
  side.serve(link, async () => {
    executed.stop();
    await last;
    await executed.close();
  });
}
