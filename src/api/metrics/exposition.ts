import { itemAt } from '../../primitives/assert.js';
import type { MetricSnapshot } from './metric-set.js';

/** Media type of the Prometheus text format. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Metric = MetricSnapshot[number];

/**
 * Returns metrics in the Prometheus text format. If several threads have the same metric, the series of all threads
 * are in one metric family.
 */
export function exposition(snapshots: readonly MetricSnapshot[]): string {
  const families = new Map<string, Metric[]>();
  for (const metric of snapshots.flat()) {
    const family = families.get(metric.name);
    if (family === undefined) families.set(metric.name, [metric]);
    else family.push(metric);
  }
  const lines: string[] = [];
  for (const [name, family] of families) {
    const { help, type } = itemAt(family, 0);
    lines.push(`# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`, `# TYPE ${name} ${type}`);
    for (const { values } of family) {
      for (const { metricName = name, labels, value } of values) {
        lines.push(`${metricName}${labelText(labels)} ${numberText(value)}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Metric['values'][number]['labels']): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
