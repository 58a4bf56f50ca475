import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { ForwarderData } from './serve-forwarder.js';

if (!isMainThread && parentPort !== null) {
  // Before anything is loaded: that alone takes half a second of a core.
  yieldToOthers();
  const { serveForwarder } = await import('./serve-forwarder.js');
  await serveForwarder(parentPort, workerData as ForwarderData);
}

/** Where cores are short, as in a long import, deciding goes first: a sink may lag, and its lag is shown. Priorities are a thread's own on Linux. */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
