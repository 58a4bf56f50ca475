// The option `--import` loads this module into a measured process. At the end of the process, the module writes the
// used resources to the file in the environment variable BENCH_PROBE.
import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_PROBE;
if (isMainThread && file !== undefined) {
  let garbageMs = 0;
  const count = (entries) => {
    for (const { duration } of entries) garbageMs += duration;
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  process.on('exit', () => {
    count(observer.takeRecords());
    const { user, system } = process.cpuUsage();
    writeFileSync(file, JSON.stringify({ garbageMs, processorMs: (user + system) / 1000 }));
  });
}
