/**
 * Number of measurements of each size. Only the fastest one is used, because other processes can only delay a
 * measurement.
 */
const ROUNDS = 3;

/**
 * Returns the CPU time of a function at four times a size, divided by its CPU time at that size. The result is about 4
 * for linear time, and about 16 for quadratic time.
 */
export function cpuGrowth(run: (size: number) => unknown, size: number): number {
  const timeOf = (many: number): number => {
    const times = Array.from({ length: ROUNDS }, () => {
      const start = process.cpuUsage();
      run(many);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  timeOf(size);
  return timeOf(4 * size) / timeOf(size);
}
