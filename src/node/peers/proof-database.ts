import { join } from 'node:path';
import type { Logger } from 'pino';
import { PBFTMessageDataType as DataType, type PBFTMessageRaw } from '../../codec/generated/messages.js';
import { type BytesTable, type Environment, openEnvironment } from '../../log/lmdb/environment.js';
import { openMetaRow, sealMetaRow } from '../../log/lmdb/meta-row.js';
import type { ProofStore } from '../../p2p/pbft/proofs.js';
import { fromInt64, toHex } from '../../primitives/bytes.js';
import { PROOFS_FOLDER } from '../data-folder.js';

/**
 * Number of uncommitted rows at which a commit starts. Each commit flushes the disk, and a sync adds thousands of rows
 * a second.
 */
const UNCOMMITTED_MAX = 500;
/** Age of the oldest uncommitted row at which a commit starts, in ms. */
const UNCOMMITTED_MS = 1000;

/**
 * Stores PBFT proofs in `<data>/proofs`. As in java-tron, never deletes a proof: about 2 KB per block with 27
 * witnesses. A kill of the process loses the proofs of the last second, which the chain does not need. Reference:
 * PbftSignDataStore.
 */
export class ProofDatabase implements ProofStore {
  private readonly environment: Environment;
  private readonly table: BytesTable;
  private readonly uncommitted = new Map<string, Uint8Array>();
  private readonly log: Logger;
  private timer: NodeJS.Timeout | undefined;

  constructor(dataDir: string, log: Logger) {
    this.environment = openEnvironment(join(dataDir, PROOFS_FOLDER), { readOnly: false });
    this.table = this.environment.table('proofs');
    this.log = log;
  }

  ofBlock(height: bigint): Uint8Array | undefined {
    return this.get(blockKey(height));
  }

  ofSchedule(epochMs: bigint): Uint8Array | undefined {
    return this.get(scheduleKey(epochMs));
  }

  put({ dataType, viewN, epoch }: PBFTMessageRaw, proof: Uint8Array): void {
    if (dataType === DataType.BLOCK) this.keep(blockKey(viewN), proof);
    if (dataType === DataType.SRL) this.keep(scheduleKey(epoch), proof);
  }

  async close(): Promise<void> {
    this.commit();
    await this.environment.close();
  }

  /** Returns a row; undefined if it is missing or damaged. */
  private get(name: string): Uint8Array | undefined {
    const uncommitted = this.uncommitted.get(name);
    if (uncommitted !== undefined) return uncommitted;
    const row = this.table.getBinary(Buffer.from(name));
    return row && openMetaRow(name, row);
  }

  private keep(name: string, value: Uint8Array): void {
    this.uncommitted.set(name, value);
    if (this.uncommitted.size >= UNCOMMITTED_MAX) this.commit();
    else this.timer ??= setTimeout(() => this.commit(), UNCOMMITTED_MS).unref();
  }

  /**
   * Commits the rows. Logs an error instead of throwing it, because the chain does not depend on proofs. The ledger
   * handles a full or failed disk.
   */
  private commit(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.uncommitted];
    if (rows.length === 0) return;
    this.uncommitted.clear();
    try {
      this.environment.commit(() => {
        for (const [name, value] of rows) this.table.putSync(Buffer.from(name), sealMetaRow(name, value));
      });
    } catch (error) {
      this.log.error({ err: error }, 'PBFT signatures of blocks not stored');
    }
  }
}

/** Returns the key of a block's proof. The height has a fixed number of hex digits, so that keys sort by height. */
function blockKey(height: bigint): string {
  return `b${toHex(fromInt64(height))}`;
}

function scheduleKey(epochMs: bigint): string {
  return `s${toHex(fromInt64(epochMs))}`;
}
