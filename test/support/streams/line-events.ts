/** Payloads in JSON lines of a sink, as they stand there. */
export function eventsIn(lines: string): readonly string[] {
  return lines.split('\n').flatMap((line) => /"event":(.*)\}$/.exec(line)?.[1] ?? []);
}
