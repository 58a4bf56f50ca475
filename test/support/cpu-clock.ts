/** CPU time of this process so far, ms: what other programs of a busy machine take is not in it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
