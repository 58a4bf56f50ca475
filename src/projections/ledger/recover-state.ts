import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BlockLog } from '../../log/block-log.js';
import { logHole } from '../../log/log-damage.js';
import { type AppliedEntry, type BaseEntry, NO_HASH } from '../../log/log-entry.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { BASE_FOLDER } from '../checkpoints/base-rows.js';
import type { Checkpoints } from '../checkpoints/checkpoints.js';
import { baseCursor, loadBase } from '../checkpoints/load-base.js';
import { ChangeSet, inverseChanges, nextDigest } from '../state/change-set.js';
import { PendingState } from '../state/pending-state.js';
import type { StateCursor } from '../state/state-cursor.js';
import { describeRow, type StateDatabase, stateDamage } from '../state/state-database.js';
import { BATCH_BYTES_MAX } from './ledger-types.js';

interface RecoveryParts {
  readonly dataDir: string;
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly checkpoints: Checkpoints;
  readonly log: Logger;
}

/**
 * Applies all log entries that the state lacks. First applies checkpoints that start at the entry of the state, then
 * the `changes` records of the remaining entries. Executes no transactions.
 * @throws {DamageError} the state is newer than the log, or its digest differs from the digest in the log; {TronError}
 * STATE_MISSING: needed changes are no longer retained
 */
export function recoverState({ dataDir, blocks, state, checkpoints, log }: RecoveryParts): void {
  let cursor = state.cursor();
  if (cursor !== undefined) {
    if (cursor.seq > blocks.lastSeq) {
      throw stateDamage(
        state.file,
        `the state is at log entry ${cursor.seq}, but the log ends at entry ${blocks.lastSeq}`,
      );
    }
    cursor = checkpoints.recover(state, cursor, blocks.lastSeq);
    checkOnLog(blocks, state, cursor);
  }
  if (cursor?.seq === blocks.lastSeq) return;
  const { base, cut } = blocks.start;
  if (cursor === undefined && cut !== undefined) {
    throw new TronError(
      'STATE_MISSING',
      `the state is missing, and cannot be rebuilt because the log starts after block ${cut.number} (tronicle.log.retention); restore a backup`,
    );
  }
  if (cursor === undefined && base !== undefined) {
    log.info({ number: base.number }, 'rebuilding state from the imported state files');
    cursor = loadBase({ folder: join(dataDir, BASE_FOLDER), state, cursor: baseCursor(base) });
  }
  log.info({ fromSeq: cursor?.seq ?? -1, toSeq: blocks.lastSeq }, 'state catching up with the log');
  followLog(blocks, state, cursor);
}

function followLog(blocks: BlockLog, state: StateDatabase, cursor: StateCursor | undefined): void {
  const pending = new PendingState(state);
  let totals: StateCursor['totals'] = cursor?.totals ?? new Map();
  let position = { number: cursor?.number ?? -1, id: cursor?.id ?? NO_HASH, digest: cursor?.digest ?? NO_HASH };
  for (let seq = (cursor?.seq ?? -1) + 1; seq <= blocks.lastSeq; seq++) {
    const entry = blocks.entry(seq);
    if (entry.kind === 'applied') {
      const changes = changesOf(blocks, seq);
      pending.apply([...changes.rows()]);
      const digest = nextDigest(position.digest, entry.number === 0 ? undefined : entry.id, changes);
      if (!equalBytes(digest, entry.digest))
        throw stateDamage(state.file, `the digest after entry ${seq} differs from the digest in the log`);
      position = entry;
    } else if (entry.kind === 'reverted') {
      const block = appliedOf(blocks, entry.id);
      pending.apply(inverseChanges([...changesOf(blocks, block.seq).rows()]));
      position = headOf(blocks, block.parentId);
    }
    if (seq < blocks.lastSeq && pending.uncommittedBytes < BATCH_BYTES_MAX) continue;
    const writes = [...pending.writes()];
    const wrong = state.findMismatch(writes);
    if (wrong) throw stateDamage(state.file, `${describeRow(wrong.ordered)} differs from the old value in the log`);
    totals = state.commit(writes, { seq, number: position.number, id: position.id, digest: position.digest }, totals);
    pending.clear();
  }
}

/**
 * Compares the digest of the state with the digest of its block in the log. @throws {DamageError} the digests differ
 */
function checkOnLog(blocks: BlockLog, state: StateDatabase, { seq, id, digest }: StateCursor): void {
  const logged = blocks.index.seqOfId(id);
  const entry = logged === undefined ? undefined : blocks.entry(logged);
  if ((entry?.kind !== 'applied' && entry?.kind !== 'base') || !equalBytes(entry.digest, digest)) {
    throw stateDamage(state.file, `the state digest at entry ${seq} does not match the log`);
  }
}

function changesOf(blocks: BlockLog, seq: number): ChangeSet {
  const bytes = blocks.changes(seq);
  if (bytes !== undefined) return new ChangeSet(bytes);
  throw new TronError(
    'STATE_MISSING',
    `cannot update the state: the row changes of log entry ${seq} were deleted (tronicle.history.retention); run 'tronicle replay'`,
  );
}

/**
 * Returns the log entry of a block that can be the head: an `applied` entry or the `base` entry (the imported state).
 */
function headOf(blocks: BlockLog, id: Uint8Array): AppliedEntry | BaseEntry {
  const { base } = blocks.start;
  return base !== undefined && equalBytes(base.id, id) ? base : appliedOf(blocks, id);
}

function appliedOf(blocks: BlockLog, id: Uint8Array): AppliedEntry {
  const seq = blocks.index.seqOfId(id);
  const entry = seq === undefined ? undefined : blocks.entry(seq);
  if (entry?.kind !== 'applied') throw logHole(`the log refers to block ${toHex(id)}, which it does not contain`);
  return entry;
}
