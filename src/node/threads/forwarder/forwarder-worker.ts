import { constants, setPriority } from 'node:os';
import { WorkerContext } from '../../workers/worker-context.js';
import type { ForwarderData } from './serve-forwarder.js';

const side = WorkerContext.here<ForwarderData>();
if (side !== undefined) {
  // Runs before the other imports, because loading them takes half a second of CPU time.
  yieldToOthers();
  const { serveForwarder } = await import('./serve-forwarder.js');
  await serveForwarder(side);
}

/**
 * Lowers the priority of this thread. Block execution then gets CPU time first, for example in a long import. Metrics
 * show the lag of the sinks. On Linux, each thread has its own priority.
 */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
