/** A sink as the admin server lists it. A complete backfill has only its name and status. */
export interface ListedSink {
  readonly name: string;
  readonly type?: string;
  readonly isPaused?: boolean;
  readonly lag?: number;
  readonly status?: { readonly state: string; readonly number: number; readonly problem?: string };
}

const HEAD = ['NAME', 'KIND', 'STATE', 'POSITION', 'LAG', 'LAST ERROR'];
/** Indexes of columns with numbers, which are aligned at the right. */
const NUMBERS: ReadonlySet<number> = new Set([3, 4]);

/** Returns a table with the state, the last forwarded height, the lag in blocks and the last error of each sink. */
export function sinkTable(sinks: readonly ListedSink[]): string {
  const rows = [HEAD, ...sinks.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => lineOf(row, widths)).join('\n');
}

function rowOf({ name, type = 'backfill', isPaused = false, lag, status }: ListedSink): readonly string[] {
  const position = status === undefined || status.number < 0 ? '-' : String(status.number);
  const state = isPaused ? 'paused' : (status?.state ?? 'starting');
  return [name, type, state, position, lag === undefined ? '-' : String(lag), oneLine(status?.problem ?? '-')];
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) =>
    NUMBERS.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
  );
  return cells.join('  ').trimEnd();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
