/** The parts of a record that are checked. */
export interface Link {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum number of cached block ids. They are needed to compare records of different partitions. */
const BLOCKS_MAX = 100_000;

/**
 * Verifies that records of Tronicle are complete, unique and in order, by their headers. In a partition, `prevSeq` and
 * `prevIndex` of a record equal `seq` and `index` of the previous record. The first record has neither. A value that is
 * too large for the topic is sent as `parts` adjacent records, with `part` from 0. All records of a block have the same
 * block id. Their `parentId` is the id of the block one height below.
 */
export class Continuity {
  /** Newest record of each partition. */
  private readonly newest = new Map<string, Link>();
  private readonly blockIds = new Map<number, string>();

  /** Checks a record. Must be called for the records of each partition in their order. */
  check(record: Link): string[] {
    const place = `${record.topic}/${record.partition}`;
    const before = this.newest.get(place);
    this.newest.set(place, record);
    const problems = [linkProblem(before?.headers, record.headers), ...this.blockProblems(record.headers)];
    return problems.flatMap((problem) => problem ?? []).map((problem) => `${place}@${record.offset}: ${problem}`);
  }

  /** Returns a text for each value whose last part was not received. */
  unfinished(): string[] {
    return [...this.newest]
      .filter(([, { headers }]) => !isWhole(headers))
      .map(([place, { offset, headers }]) => `${place}@${offset}: the topic ends after ${nameOf(headers)}`);
  }

  private blockProblems(headers: Link['headers']): (string | undefined)[] {
    const { blockNum, blockId, parentId, change } = headers;
    if (blockNum === undefined || blockId === undefined) return ['a record without block headers'];
    // With `finality = applied`, blocks can be reverted. Two blocks may then have the same height, so they are not
    // compared.
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

/** Returns true for a value that is not split, and for the last part of a split value. */
function isWhole({ part, parts }: Link['headers']): boolean {
  return part === undefined || Number(part) + 1 === Number(parts);
}

/** Returns `seq/index` of a record. For a part of a value, adds the number of the part. */
function nameOf(headers: Link['headers'] | undefined): string {
  if (headers === undefined) return 'nothing';
  const { seq, index, part, parts } = headers;
  return `${seq}/${index}${part === undefined ? '' : ` part ${part} of ${parts}`}`;
}
