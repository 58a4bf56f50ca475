import type { BlockRecords, EventRecord } from '../../records/event-record.js';
import { ADDED, isTableTrigger, type TableTrigger } from './tables.js';

/**
 * One SQL statement of a database transaction. It upserts rows from a JSON list of records, or deletes the rows of a
 * reverted block.
 */
export type RowStep =
  | { readonly do: 'upsert'; readonly trigger: TableTrigger; readonly json: string }
  | { readonly do: 'delete'; readonly number: number };

/** The SQL statements of one database transaction. */
interface RowSteps {
  readonly steps: readonly RowStep[];
  /** Lowest and highest height of the rows; undefined without rows. */
  readonly heights: { readonly first: number; readonly last: number } | undefined;
}

/**
 * Maximum size of one statement in characters. It limits the memory of the server. A single larger record gets its own
 * statement.
 */
const STEP_CHARS = 4 * 1024 * 1024;

/**
 * Returns the statements for blocks, in log order. The rows of a reverted block are written, then deleted, before the
 * rows of later blocks are written.
 */
export function rowSteps(blocks: readonly BlockRecords[]): RowSteps {
  const rows = new RowCollector();
  for (const block of blocks) {
    if (block.change === 'reverted') rows.delete(block.number);
    else rows.add(block);
  }
  return rows.end();
}

class RowCollector {
  private readonly steps: RowStep[] = [];
  /** Records that are not in a statement yet, by trigger. */
  private readonly open = new Map<TableTrigger, { records: string[]; chars: number }>();
  private first = Number.POSITIVE_INFINITY;
  private last = -1;

  add(block: BlockRecords): void {
    const counts = new Map<string, number>();
    for (const record of block.records) {
      const { trigger, block: { number } = block } = record;
      if (!isTableTrigger(trigger))
        throw new Error(`internal error: a PostgreSQL sink received a record of ${trigger}, for which it has no table`);
      const key = `${trigger} ${number}`;
      const index = counts.get(key) ?? 0;
      counts.set(key, index + 1);
      this.first = Math.min(this.first, number);
      this.last = Math.max(this.last, number);
      this.put(trigger, rowJson(record, block, index));
    }
  }

  delete(number: number): void {
    this.flush();
    this.steps.push({ do: 'delete', number });
  }

  end(): RowSteps {
    this.flush();
    const { steps, first, last } = this;
    return { steps, heights: last < 0 ? undefined : { first, last } };
  }

  private put(trigger: TableTrigger, json: string): void {
    const open = this.open.get(trigger) ?? { records: [], chars: 0 };
    this.open.set(trigger, open);
    open.records.push(json);
    open.chars += json.length;
    if (open.chars >= STEP_CHARS) this.flushOne(trigger);
  }

  private flush(): void {
    for (const trigger of [...this.open.keys()]) this.flushOne(trigger);
  }

  private flushOne(trigger: TableTrigger): void {
    const { records } = this.open.get(trigger) ?? { records: [] };
    this.open.delete(trigger);
    if (records.length > 0) this.steps.push({ do: 'upsert', trigger, json: `[${records.join(',')}]` });
  }
}

/** Returns the JSON text of a record. Adds the fields {@link ADDED}; only a block gets the id of its parent. */
function rowJson({ trigger, payload, block: of }: EventRecord, block: BlockRecords, index: number): string {
  if (typeof payload !== 'string')
    throw new Error(`internal error: a PostgreSQL sink received a record of ${trigger} that is not JSON`);
  const { number, parentId } = of ?? block;
  const parent = trigger === 'block' ? `"${ADDED.parent}":"${parentId}",` : '';
  return `{"${ADDED.block}":${number},"${ADDED.index}":${index},${parent}${storableText(payload).slice(1)}`;
}

/**
 * Matches escapes in JSON text that PostgreSQL cannot store: the character 0, and half of a surrogate pair. The first
 * alternatives skip a complete surrogate pair, and an escaped backslash before a `u`.
 */
const ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/**
 * Writes U+FFFD in place of each character that PostgreSQL cannot store. Contracts can emit texts with such characters.
 */
export function storableText(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(ESCAPE, (found) => (found.length === 6 ? '\\ufffd' : found));
}
