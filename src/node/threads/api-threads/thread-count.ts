import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';

/** Processors that are left to the main thread and the signature threads. */
const OTHER_THREADS = 2;
/** Maximum number of threads if the configuration does not set their number. */
const DEFAULT_MAX = 8;
/** First release of Node.js whose servers can share a port between threads (`reusePort`). */
const SHARES_PORTS = [22, 12] as const;

/** Returns true if several threads can listen on one port. Only Linux distributes the connections to them. */
export function canSharePorts(version = process.versions.node, platform: string = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first, since] = SHARES_PORTS;
  return (
    platform === 'linux' &&
    (major > first + 1 || (major === first && minor >= since) || (major === first + 1 && minor > 0))
  );
}

/** Returns the number of processors for API threads or for pool threads. */
function spareProcessors(processors: number): number {
  return Math.max(1, processors - OTHER_THREADS);
}

interface ThreadCountOptions {
  /** Number of threads in the configuration. At 0, it depends on the number of processors. */
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

/** Returns the number of pool threads of each API thread (`tronicle.threads.pool` is for all API threads together). */
export function poolThreadCount(
  { configured, processors = availableParallelism() }: ThreadCountOptions,
  apiThreads: number,
): number {
  return Math.max(1, Math.floor((configured || spareProcessors(processors)) / apiThreads));
}
