import { lowerPriority } from '../../workers/low-priority.js';
import { WorkerContext } from '../../workers/worker-context.js';
import type { ForwarderData } from './serve-forwarder.js';

const side = WorkerContext.here<ForwarderData>();
if (side !== undefined) {
  // Gives other threads processor time first, so that block execution continues during a long import. Metrics show the
  // lag of the sinks. Must run before the other imports, because loading them takes half a second of CPU time.
  lowerPriority();
  const { serveForwarder } = await import('./serve-forwarder.js');
  await serveForwarder(side);
}
