/** The parts of a record that the check needs. */
export interface Link {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum number of cached blocks, to compare records of different partitions. */
const BLOCKS_MAX = 100_000;

/**
 * Verifies by their headers that records of Tronicle are complete, unique and in order. Within a partition, `prevSeq`
 * and `prevIndex` of a record are `seq` and `index` of the record before it. The first record has neither. A value
 * too large for the topic is sent as `parts` adjacent records, with `part` from 0. All records of a block have the
 * same block id, and `parentId` is the id of the block below it.
 */
export class Continuity {
  /** Newest record of each partition. */
  private readonly newest = new Map<string, Link>();
  private readonly blockIds = new Map<number, string>();

  /** Checks a record. Call in the order of the partition. @returns one sentence for each problem */
  check(record: Link): string[] {
    const place = `${record.topic}/${record.partition}`;
    const before = this.newest.get(place);
    this.newest.set(place, record);
    const problems = [linkProblem(before?.headers, record.headers), ...this.blockProblems(record.headers)];
    return problems.flatMap((problem) => problem ?? []).map((problem) => `${place}@${record.offset}: ${problem}`);
  }

  /** Values whose last part was not received. */
  unfinished(): string[] {
    return [...this.newest]
      .filter(([, { headers }]) => !isWhole(headers))
      .map(([place, { offset, headers }]) => `${place}@${offset}: the topic ends after ${nameOf(headers)}`);
  }

  private blockProblems(headers: Link['headers']): (string | undefined)[] {
    const { blockNum, blockId, parentId, change } = headers;
    if (blockNum === undefined || blockId === undefined) return ['a record without block headers'];
    // A stream of unsolidified blocks reverts blocks, so two blocks may have the same height.
    if (change !== undefined) return [];
    const number = Number(blockNum);
    const known = this.blockIds.get(number);
    const parent = this.blockIds.get(number - 1);
    if (known === undefined) this.remember(number, blockId);
    return [
      known !== undefined && known !== blockId ? `block ${blockNum} is ${blockId}, and was ${known}` : undefined,
      parent !== undefined && parentId !== parent
        ? `block ${blockNum} follows ${parentId}, but the block below it is ${parent}`
        : undefined,
    ];
  }

  private remember(number: number, id: string): void {
    this.blockIds.set(number, id);
    if (this.blockIds.size <= BLOCKS_MAX) return;
    for (const oldest of this.blockIds.keys()) {
      this.blockIds.delete(oldest);
      break;
    }
  }
}

function linkProblem(before: Link['headers'] | undefined, record: Link['headers']): string | undefined {
  if (record['part'] !== undefined && record['part'] !== '0') {
    const isNext =
      before !== undefined &&
      isSame(before, record) &&
      before['parts'] === record['parts'] &&
      Number(before['part']) + 1 === Number(record['part']);
    return isNext ? undefined : `gap: ${nameOf(record)} comes after ${nameOf(before)}`;
  }
  if (before !== undefined && !isWhole(before)) return `gap: ${nameOf(record)} comes after ${nameOf(before)}`;
  const isLinked = record['prevSeq'] === before?.['seq'] && record['prevIndex'] === before?.['index'];
  if (isLinked) return undefined;
  const named = record['prevSeq'] === undefined ? 'nothing' : `${record['prevSeq']}/${record['prevIndex']}`;
  return `gap: ${nameOf(record)} says that it follows ${named}, but comes after ${nameOf(before)}`;
}

function isSame(one: Link['headers'], other: Link['headers']): boolean {
  return one['seq'] === other['seq'] && one['index'] === other['index'];
}

/** Returns true for a complete value and for the last part of one. */
function isWhole({ part, parts }: Link['headers']): boolean {
  return part === undefined || Number(part) + 1 === Number(parts);
}

/** Returns `seq/index`, with the part number if it is a part. */
function nameOf(headers: Link['headers'] | undefined): string {
  if (headers === undefined) return 'nothing';
  const { seq, index, part, parts } = headers;
  return `${seq}/${index}${part === undefined ? '' : ` part ${part} of ${parts}`}`;
}
