import { readFileSync } from 'node:fs';

/** Unit of CPU times in the `proc` file system, in ms. Linux uses the same unit on all common processors. */
const TICK_MS = 10;

/** Returns the CPU time of this process so far, in ms. Other programs on a busy machine do not increase this time. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the CPU time of all threads of a process so far, in ms. Available only on Linux. */
export function cpuMsOf(pid: number | string): number {
  // The name of the program precedes the numbers. It can contain spaces and parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
