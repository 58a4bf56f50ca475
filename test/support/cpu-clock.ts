/** Returns the CPU time of this process so far, in ms. Other programs on a busy machine do not increase this time. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
