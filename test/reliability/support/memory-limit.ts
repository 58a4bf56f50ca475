import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;
/** Maximum resident memory of a node under any flood, in bytes. It includes the mapped pages of the database. */
const LIMIT_BYTES = 2048 * MIB;

/** Environment variable with the folder of a control group of the kernel. The option `--memory-group` sets it. */
export const MEMORY_GROUP = 'TRONICLE_MEMORY_GROUP';

/**
 * Moves a process into the control group of `--memory-group`, so that the kernel kills the process above the memory
 * limit of the group. Does nothing without this option. Both versions of control groups have the file `cgroup.procs`.
 */
export function enterMemoryGroup(pid: number | undefined = process.pid): void {
  const folder = process.env[MEMORY_GROUP];
  if (folder !== undefined) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
}

/** Starts a new measurement of the maximum memory of this process. */
export function resetMemoryPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5');
}

/**
 * Returns a text with the maximum resident memory of a process since its start, or since the last
 * {@link resetMemoryPeak}. The kernel records the maximum, so no short peak is missed.
 * @param pid default: this process
 * @throws {Error} the process needed more than the limit
 */
export function withinMemoryLimit(pid: number | 'self' = 'self', limitBytes = LIMIT_BYTES): string {
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (peak === undefined) throw new Error('the system does not report the maximum memory of a process');
  const text = `${Math.round((Number(peak) * 1024) / MIB)} MiB of memory at most`;
  if (Number(peak) * 1024 > limitBytes) throw new Error(`${text}, the limit is ${limitBytes / MIB} MiB`);
  return text;
}
