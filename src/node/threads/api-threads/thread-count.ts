import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';

/** Number of processors for the main thread and the signature threads. */
const OTHER_THREADS = 2;
/** Maximum number of threads if the configuration does not set their number. */
const DEFAULT_MAX = 8;
/**
 * First release of Node.js 22 whose servers can share a port between threads (`reusePort`). All releases of Node.js 23
 * except 23.0 can share a port too.
 */
const SHARES_PORTS = [22, 12] as const;

/** Returns true if several threads can listen on one port. Only Linux distributes the connections among the threads. */
export function canSharePorts(version = process.versions.node, platform: string = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first, since] = SHARES_PORTS;
  return (
    platform === 'linux' &&
    (major > first + 1 || (major === first && minor >= since) || (major === first + 1 && minor > 0))
  );
}

/** Returns the number of processors that API threads or threads of the call pool can use. */
function spareProcessors(processors: number): number {
  return Math.max(1, processors - OTHER_THREADS);
}

interface ThreadCountOptions {
  /** Configured number of threads. If 0, the number depends on the processors. */
  readonly configured: number;
  readonly processors?: number;
}

/** Returns the number of API threads (`tronicle.api.workers`). */
export function apiThreadCount(
  {
    configured,
    processors = availableParallelism(),
    canShare = canSharePorts(),
  }: ThreadCountOptions & { readonly canShare?: boolean },
  log: Logger,
): number {
  if (canShare) return configured || Math.min(DEFAULT_MAX, spareProcessors(processors));
  if (configured > 1) {
    const needs = `Node.js ${SHARES_PORTS.join('.')} or later on Linux`;
    log.warn({ workers: configured, needs }, 'tronicle.api.workers ignored, one API thread runs');
  }
  return 1;
}

/**
 * Returns the number of threads in the call pool of each API thread. `tronicle.threads.pool` is the number for all
 * API threads together.
 */
export function poolThreadCount(
  { configured, processors = availableParallelism() }: ThreadCountOptions,
  apiThreads: number,
): number {
  return Math.max(1, Math.floor((configured || spareProcessors(processors)) / apiThreads));
}
