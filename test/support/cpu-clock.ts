/**
 * Returns the CPU time of this process so far, in ms. Unlike elapsed time, it does not include the work of other
 * programs on a busy machine.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
