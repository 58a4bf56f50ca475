import { constants, setPriority } from 'node:os';
import { WorkerContext } from '../../workers/worker-context.js';
import type { ForwarderData } from './serve-forwarder.js';

const side = WorkerContext.here<ForwarderData>();
if (side !== undefined) {
  // Before the rest is loaded: that alone takes half a second of a core.
  yieldToOthers();
  const { serveForwarder } = await import('./serve-forwarder.js');
  await serveForwarder(side);
}

/**
 * Where cores are short, as in a long import, deciding goes first: a sink may lag, and its lag is shown. Priorities are
 * a thread's own on Linux.
 */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
