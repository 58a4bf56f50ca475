import { HASH_BYTES } from '../crypto/hash.js';
import { TronError } from '../primitives/errors.js';
import { readSeq, seqKey } from './block-key.js';
import type { BlockLog } from './block-log.js';
import type { BaseEntry, LogEntry } from './log-entry.js';
import type { LogFacts } from './log-facts.js';
import type { LookupTables } from './lookup-tables.js';
import type { StoredEntries } from './stored-entries.js';

/** Where a log begins whose older entries have left: the newest of those, an `applied` one. */
export interface PruneMark {
  readonly seq: number;
  /** Its block, which was the head then and is irreversible. */
  readonly number: number;
  readonly id: Uint8Array;
  /** State digest after that block. */
  readonly digest: Uint8Array;
  /** Hash of the entry: what the next one links to. */
  readonly hash: Uint8Array;
}

/** Name of the fact that holds it. */
export const PRUNE_KEY = 'cut';

const NUMBERS_BYTES = 16;

interface LogBeginParts {
  readonly log: Pick<BlockLog, 'entry' | 'hashOf' | 'index' | 'lastSeq' | 'forgetChanges'>;
  readonly facts: LogFacts;
  readonly stored: StoredEntries;
  readonly lookup: LookupTables;
}

/** The old end of the log: genesis or a base, behind which entries may have left. */
export class LogStart {
  private readonly parts: LogBeginParts;
  /** Entry 0, when it has been looked at. */
  private first: LogEntry | undefined;

  constructor(parts: LogBeginParts) {
    this.parts = parts;
  }

  /** Entry 0 where the log begins at a height, `undefined` where it begins at genesis. */
  get base(): BaseEntry | undefined {
    const { log } = this.parts;
    if (log.lastSeq >= 0) this.first ??= log.entry(0);
    return this.first?.kind === 'base' ? this.first : undefined;
  }

  /** The newest entry that has left; `undefined` while nothing has. */
  get cut(): PruneMark | undefined {
    const row = this.parts.facts.get(PRUNE_KEY);
    return row && decodePruneMark(row);
  }

  /** The first canonical block (genesis aside) is the one above this height. */
  get number(): number {
    return this.cut?.number ?? this.base?.number ?? 0;
  }

  /** Seq of the entry behind another one: the next number, but behind entry 0 the first that has not left. */
  after(seq: number): number {
    return seq === 0 ? (this.cut?.seq ?? 0) + 1 : seq + 1;
  }

  /**
   * Lets all entries up to a canonical, irreversible block leave with the next commit, with their changes and what the
   * lookup tables know of them. Entry 0 stays. @throws {RangeError} a block that is not there
   */
  moveTo(number: number): void {
    const { log, facts } = this.parts;
    const block = log.index.block(number);
    if (block === undefined || block.seq === 0) throw new RangeError(`block ${number} is no entry of the log`);
    for (let seq = this.after(0); seq <= block.seq; seq++) this.leave(seq);
    const { seq, id, digest } = block;
    facts.set(PRUNE_KEY, encodeCut({ seq, number, id, digest, hash: log.hashOf(seq) }));
  }

  /** @throws {TronError} LOG_CUT when an entry has left */
  refuseLeft(seq: number): void {
    const { cut } = this;
    if (cut === undefined || seq <= 0 || seq > cut.seq) return;
    throw new TronError(
      'LOG_CUT',
      `entry ${seq} has left the log, which begins above block ${cut.number}: tronicle.log.retention sets how many blocks stay`,
    );
  }

  private leave(seq: number): void {
    const { log, stored, lookup } = this.parts;
    const entry = log.entry(seq);
    stored.remove(seq);
    log.forgetChanges(seq);
    if (entry.kind === 'applied') lookup.forget(entry);
  }
}

/** seq, number: 8 bytes each; id, digest, hash: 32 bytes each. */
function encodeCut({ seq, number, id, digest, hash }: PruneMark): Buffer {
  return Buffer.concat([seqKey(seq), seqKey(number), id, digest, hash]);
}

export function decodePruneMark(bytes: Buffer): PruneMark {
  const part = (at: number): Buffer =>
    bytes.subarray(NUMBERS_BYTES + at * HASH_BYTES, NUMBERS_BYTES + (at + 1) * HASH_BYTES);
  return { seq: readSeq(bytes), number: readSeq(bytes.subarray(8)), id: part(0), digest: part(1), hash: part(2) };
}
