import type { SinkStatus } from '../../streams/forwarding/sink-status.js';

/** Reason why a node is not ready: `check` is for programs, `message` is for people. */
export interface UnreadyReason {
  readonly check: 'head' | 'disk' | 'storage' | 'sink';
  readonly message: string;
}

/** Measured values that determine if a node is ready. */
export interface ReadinessFacts {
  readonly headNumber: number;
  /** Timestamp of the head block, in ms since 1970. */
  readonly headTimeMs: number;
  /** Current time, in ms since 1970. */
  readonly nowMs: number;
  /** Free bytes on the disk of the data folder; undefined without a data folder. */
  readonly freeBytes: number | undefined;
  /** Reason why blocks cannot be stored; undefined if they can be stored. */
  readonly storageProblem?: string | undefined;
  readonly sinks: readonly Pick<SinkStatus, 'name' | 'state' | 'problem'>[];
}

interface ReadinessLimits {
  /** Maximum age of the head block, in seconds (`tronicle.health.maxHeadAge`). */
  readonly maxHeadAge: number;
  /** Minimum free disk space, in MiB (`tronicle.health.minFreeDisk`). */
  readonly minFreeDisk: number;
}

const MIB = 2 ** 20;

/** Returns the reasons why a node is not ready; an empty list if it is ready. */
export function reasonsNotReady(facts: ReadinessFacts, { maxHeadAge, minFreeDisk }: ReadinessLimits): UnreadyReason[] {
  const { headNumber, headTimeMs, nowMs, freeBytes, storageProblem, sinks } = facts;
  const reasons: UnreadyReason[] = [];
  const age = Math.floor((nowMs - headTimeMs) / 1000);
  if (age > maxHeadAge)
    reasons.push({ check: 'head', message: `head block ${headNumber} is ${age} s old, limit ${maxHeadAge} s` });
  if (freeBytes !== undefined && freeBytes < minFreeDisk * MIB) {
    const free = Math.floor(freeBytes / MIB);
    reasons.push({ check: 'disk', message: `${free} MiB of disk space are free, minimum ${minFreeDisk} MiB` });
  }
  if (storageProblem !== undefined)
    reasons.push({ check: 'storage', message: `blocks cannot be stored: ${storageProblem}` });
  for (const { name, state, problem } of sinks) {
    if (state === 'stopped')
      reasons.push({ check: 'sink', message: `sink ${name} stopped: ${problem ?? 'no reason'}` });
  }
  return reasons;
}
