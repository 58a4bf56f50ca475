import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deploy } from './image.js';

/** A metric in an expression, with the labels of its selector. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

/** Returns all expressions of the dashboard and of the alerts, with the title of their panel or alert. */
export function readQueries(): readonly (readonly [title: string, expression: string])[] {
  const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana/dashboards/tronicle.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
  const { groups } = parse(readFileSync(join(deploy, 'prometheus/alerts.yml'), 'utf8')) as Rules;
  return [
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ];
}

/** Operators of PromQL that consist of letters. */
const OPERATORS = new Set(['by', 'on', 'or', 'and', 'unless', 'without', 'ignoring', 'group_left', 'group_right']);

/**
 * Returns the metrics of an expression with the labels in their selectors. A name that an opening parenthesis follows
 * is a function and not a metric.
 */
export function selectorsOf(expression: string): readonly Selector[] {
  const plain = expression.replace(/\b(by|on|without|ignoring) \([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  return [...plain.matchAll(/(?<![\w:])([a-zA-Z_][\w:]*)(?![\w:]|\s*\()(?:\{([^}]*)\})?/g)].flatMap(
    ([, metric = '', braces = '']) => {
      if (OPERATORS.has(metric)) return [];
      return { metric, labels: [...braces.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!) };
    },
  );
}
