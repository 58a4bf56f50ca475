import { lowerPriority } from '../../workers/low-priority.js';
import { WorkerContext } from '../../workers/worker-context.js';
import type { ForwarderData } from './serve-forwarder.js';

const side = WorkerContext.here<ForwarderData>();
if (side !== undefined) {
  // Other threads run first, so that a busy sink does not delay block execution. Metrics show the lag of the sinks.
  // The priority must be lowered before the other imports, because loading them takes half a second of CPU time.
  lowerPriority();
  const { serveForwarder } = await import('./serve-forwarder.js');
  await serveForwarder(side);
}
