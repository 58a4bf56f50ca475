/** Returns the payloads in the JSON lines of a sink, unchanged. */
export function eventsIn(lines: string): readonly string[] {
  return lines.split('\n').flatMap((line) => /"event":(.*)\}$/.exec(line)?.[1] ?? []);
}
