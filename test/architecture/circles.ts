import type { SourceFile } from './source-files.js';

/**
 * Returns groups of files that import each other in a circle, directly or through other files of the group. Imports of
 * types are included. The largest group is first.
 */
export function circlesOf(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const targets = new Map(files.map(({ path, imports }) => [path, new Set(imports.map(([target]) => target))]));
  const sources = new Map<string, string[]>();
  for (const [path, found] of targets)
    for (const target of found) sources.set(target, [...(sources.get(target) ?? []), path]);

  // Algorithm of Kosaraju. The first traversal lists the files in the order in which it leaves them. The second one
  // visits this list in reverse order and follows the imports backwards. All files that it reaches from one file form a
  // group.
  const left: string[] = [];
  const seen = new Set<string>();
  for (const path of targets.keys()) walk(path, targets, seen, (file) => left.push(file));
  const placed = new Set<string>();
  const circles: string[][] = [];
  for (const path of left.reverse()) {
    const circle: string[] = [];
    walk(path, sources, placed, (file) => circle.push(file));
    if (circle.length > 1) circles.push(circle);
  }
  return circles.sort((a, b) => b.length - a.length);
}

function walk(
  path: string,
  next: ReadonlyMap<string, Iterable<string>>,
  seen: Set<string>,
  leave: (path: string) => void,
): void {
  if (seen.has(path)) return;
  seen.add(path);
  for (const target of next.get(path) ?? []) walk(target, next, seen, leave);
  leave(path);
}
