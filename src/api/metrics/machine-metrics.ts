import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/**
 * Adds metrics of the machine and the process. The metrics of the machine are the same as in java-tron. The metrics of
 * the process are `process_*` and `nodejs_*` of Node.js instead of java-tron's JVM metrics. Reference:
 * OperatingSystemExports.
 */
export function addMachineMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  // Removes gauges whose names end in `_total`, because that is the suffix of counters. The metrics without this suffix
  // have the same values, split by `type`.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const load = new CpuLoad();
  const rows: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['system_available_cpus', 'System available cpus', () => availableParallelism()],
    ['process_cpu_load', 'Process cpu load', () => load.process()],
    ['system_cpu_load', 'System cpu load', () => load.system()],
    ['system_load_average', 'System cpu load average', () => loadavg()[0] ?? -1],
    ['system_total_physical_memory_bytes', 'System total physical memory bytes', () => totalmem()],
    ['system_free_physical_memory_bytes', 'System free physical memory bytes', () => freemem()],
    ['system_total_swap_spaces_bytes', 'System free swap spaces bytes', () => swapBytes('SwapTotal')],
    ['system_free_swap_spaces_bytes', 'System free swap spaces', () => swapBytes('SwapFree')],
  ];
  for (const [name, help, read] of rows) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** Measures CPU usage since the previous call, as a fraction of all processors (0 to 1). */
class CpuLoad {
  private lastProcess = { cpu: process.cpuUsage(), atMs: performance.now() };
  private lastSystem = times();

  process(): number {
    const { cpu, atMs } = this.lastProcess;
    const now = performance.now();
    const used = process.cpuUsage(cpu);
    this.lastProcess = { cpu: process.cpuUsage(), atMs: now };
    const share = (used.user + used.system) / 1000 / Math.max(1, now - atMs) / availableParallelism();
    return Math.min(1, share);
  }

  system(): number {
    const before = this.lastSystem;
    this.lastSystem = times();
    const all = this.lastSystem.all - before.all;
    return all <= 0 ? 0 : 1 - (this.lastSystem.idle - before.idle) / all;
  }
}

function times(): { readonly idle: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { idle, all };
}

/** Reads a value of `/proc/meminfo` in bytes; −1 if the value is not available. */
function swapBytes(name: string): number {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/meminfo', 'utf8'));
    return found === null ? -1 : Number(found[1]) * 1024;
  } catch {
    return -1;
  }
}
