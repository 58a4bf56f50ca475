import type { Logger } from 'pino';
import { type Address, addressBytes, toAddress } from '../../primitives/address.js';
import { equalBytes } from '../../primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import { SLOT_MS, scheduledWitness, slotAt, slotTime } from '../../state-transition/consensus/schedule.js';
import { participationRate } from '../../state-transition/consensus/statistics.js';
import { ChainError } from '../../state-transition/errors.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import { State } from '../../state-transition/state/state.js';
import type { Chain, ImportOptions } from '../chain.js';
import type { Clock } from '../clock.js';
import { ClockWatch } from './clock-watch.js';
import { DuplicateWitnessDetector } from './duplicate-witness-detector.js';
import { packingEnd } from './packing-end.js';
import { produceBlock } from './produce-block.js';
import type { ProducerKeys } from './producer-keys.js';
import { type SignedBlocks, witnessText } from './signed-blocks.js';

interface ProducerOptions {
  readonly chain: Chain;
  readonly keys: ProducerKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isSorted: boolean;
  /** Packing time as a percentage of the time until the middle of the slot. Set by `node.blockProducedTimeOut`. */
  readonly timeoutPercent: number;
  /** Minimum percentage of filled slots required to produce a block. Set by `node.minParticipationRate`. */
  readonly minParticipationRate: number;
  /** True if production waits until the head is in the current slot. Set by `block.needSyncCheck`. */
  readonly needsSyncFirst?: boolean;
  readonly signedBlocks: SignedBlocks;
  /**
   * Sends a produced block to the peers. Called after the block is the head and on disk. Reference:
   * BlockHandleImpl.produce.
   */
  readonly announce?: (block: DecodedBlock) => void;
  /** Returns true if this node produces for its backup group. Default: always true. */
  readonly isMaster?: () => boolean;
}

/** Reason why no block is produced, as java-tron names it. */
type ProductionObstacle = 'CLOCK_ERROR' | 'BACKUP_IS_NOT_MASTER' | 'DUP_WITNESS' | 'LOW_PARTICIPATION';

/** Log line if the double-sign protection forbids a block. */
const ALREADY_SIGNED =
  'no block is produced: this witness has already signed a block for this slot or height, or for a later one';

/** Time in ms by which production starts before the slot. Reference: DposTask. */
const EARLY_MS = 50;

/**
 * Produces a block in each slot if this node has the signing key of the slot's witness. Reference: DposTask,
 * StateManager.
 */
export class Producer {
  private readonly options: ProducerOptions;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private waitsForSync: boolean;
  private readonly duplicates = new DuplicateWitnessDetector();
  private readonly clockWatch: ClockWatch;

  constructor(options: ProducerOptions) {
    this.options = options;
    this.clockWatch = new ClockWatch(options.clock);
    this.waitsForSync = options.needsSyncFirst === true;
    this.settleStored();
  }

  /**
   * Starts the timer of the next slot. Reads the clock again after at most one slot, because the clock may be
   * corrected.
   */
  start(): void {
    const { chain, clock } = this.options;
    if (this.isStopped) return;
    const { slotMs } = chain.state.rules;
    const next = Math.max(slotTime(chain.state, 1), Math.ceil((clock.now() + 1) / slotMs) * slotMs);
    const waitMs = Math.min(clock.untilMs(next), slotMs);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (clock.now() + this.earlyMs < next) this.start();
      else void this.tickTrusted().then(() => this.start());
    }, waitMs);
  }

  /** Restarts the timer after the clock was set to another time. */
  restart(): void {
    this.clockWatch.reset();
    // Without a timer, production was not started, or a tick is running. A tick sets the next timer itself.
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.start();
  }

  private async tickTrusted(): Promise<void> {
    const { log } = this.options;
    try {
      if (this.clockWatch.isTrusted()) await this.tick(false);
      else log.warn({ reason: 'CLOCK_JUMPED' }, 'no block is produced');
    } catch (error) {
      log.error({ err: error }, 'block production failed');
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /**
   * Produces the block of the current slot on request. Packing gets its full time even late in the slot, because an
   * early end could lose a transaction that was removed from the mempool. Returns true if a block was produced.
   */
  async produceNow(): Promise<boolean> {
    return this.tick(true);
  }

  /**
   * Produces the block of the current slot if this node has the key of the scheduled witness. Returns true if a block
   * was produced.
   */
  private async tick(hasFullTime: boolean): Promise<boolean> {
    const { chain, clock, log, minParticipationRate } = this.options;
    await this.publishPending();
    const now = clock.now();
    if (this.waitsForSync) {
      this.waitsForSync = slotTime(chain.state, 1) < now;
      return false;
    }
    const hindrance = this.hindrance(now);
    if (hindrance !== undefined) {
      log.info({ reason: hindrance, minParticipationRate }, 'no block is produced');
      return false;
    }
    const slot = slotAt(chain.state, now + this.earlyMs);
    return slot > 0 && this.produce(slot, hasFullTime);
  }

  /**
   * Produces the block of the first slot after the head, if that slot has started and this node has the key of the
   * scheduled witness. Used to fill the first slots of a new private network. Returns true if a block was produced.
   */
  async produceNextSlot(): Promise<boolean> {
    const { chain, clock } = this.options;
    await this.publishPending();
    const now = clock.now();
    return slotTime(chain.state, 1) <= now && this.hindrance(now) === undefined && this.produce(1, true);
  }

  /**
   * Must be called for each new block of a peer. If the block shows that another node produces with the same witness
   * key, logs a warning, and this node produces no block for 27 slots. Reference: StateManager.receiveBlock.
   */
  blockReceived(block: DecodedBlock): void {
    const { chain, clock, log } = this.options;
    if (this.waitsForSync || this.keyOf(chain.state, toAddress(block.raw.witnessAddress)) === undefined) return;
    if (this.duplicates.received(block, clock.now(), this.isMaster()))
      log.warn({ num: block.number, hash: block.idHex }, 'another node produces with the same witness key');
  }

  /** Time in ms by which production may start before the slot. It is shorter for short slots of a private network. */
  private get earlyMs(): number {
    return Math.min(EARLY_MS, this.options.chain.state.rules.slotMs / 4);
  }

  private isMaster(): boolean {
    return this.options.isMaster?.() ?? true;
  }

  /** Returns the reason why no block may be produced now, if any. Reference: StateManager.getState. */
  private hindrance(now: number): ProductionObstacle | undefined {
    const { chain, minParticipationRate } = this.options;
    if (now < chain.state.properties.number('latest_block_header_timestamp')) return 'CLOCK_ERROR';
    if (!this.isMaster()) return 'BACKUP_IS_NOT_MASTER';
    if (this.duplicates.isBackingOff(now)) return 'DUP_WITNESS';
    return participationRate(chain.state) < minParticipationRate ? 'LOW_PARTICIPATION' : undefined;
  }

  /** Returns the key that signs the blocks of a witness, or undefined if this node does not have it. */
  private keyOf(state: State, witness: Address): ReturnType<ProducerKeys['get']> {
    const { keys } = this.options;
    const account = state.account(witness);
    return keys.get(account === undefined ? addressBytes(witness) : witnessKeyAddress(account));
  }

  /**
   * Produces and imports the block of a slot. @param hasFullTime true if a late start does not shorten packing; always
   * true for slots that are shorter than on public networks
   */
  private async produce(slot: number, hasFullTime: boolean): Promise<boolean> {
    const { chain, clock, log, isSorted, timeoutPercent } = this.options;
    const { rules } = chain.state;
    // The state of the head without pending transactions. `chain.state` must keep their effects if another node
    // produces the block.
    const head = new State(chain.ledger.head, rules);
    const witness = scheduledWitness(head, slot);
    const key = this.keyOf(head, witness);
    if (key === undefined) return false;
    const { slotMs } = rules;
    const timeMs = slotTime(head, slot);
    const { headNumber, headId } = chain.ledger.position;
    if (!this.maySign(witness, timeMs, headNumber + 1)) return false;
    const productionStartMs = clock.now();
    const started = performance.now();
    const endMs = packingEnd({
      startMs: timeMs,
      productionStartMs,
      slotMs,
      percent: timeoutPercent,
      // A late start is normal if slots are short.
      hasFullTime: hasFullTime || slotMs < SLOT_MS,
    });
    const block = produceBlock(chain.state, chain.mempool, {
      witness,
      key,
      timeMs,
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted,
      isTimeUp: () => clock.now() > endMs,
    });
    if (block === undefined) return false;
    const seconds = (performance.now() - started) / 1000;
    chain.stopwatch?.produced(addressBytes(witness), seconds, (productionStartMs - timeMs) / 1000);
    this.record(block);
    await this.publish(block, { isOwn: true });
    log.info({ num: block.number, hash: block.idHex, transactions: block.transactions.length }, 'block produced');
    return true;
  }

  /** Returns false if the double-sign protection forbids the block. */
  private maySign(witness: Address, timeMs: number, height: number): boolean {
    const { signedBlocks, log } = this.options;
    if (signedBlocks.maySign(witness, { timeMs, height })) return true;
    log.warn({ reason: 'SIGNED_BEFORE', witness: witnessText(witness), height }, ALREADY_SIGNED);
    return false;
  }

  /**
   * Stores the block in the double-sign protection. Must be called before the import of the block. A failure is also
   * reported to the ledger.
   * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: the block cannot be stored
   */
  private record(block: DecodedBlock): void {
    const { chain, signedBlocks } = this.options;
    try {
      signedBlocks.record(block);
    } catch (error) {
      chain.ledger.storageFailed(error);
      throw error;
    }
  }

  /**
   * Imports a block that the double-sign protection has stored, flushes the log, and announces the block if it became
   * the head.
   */
  private async publish(block: DecodedBlock, options: ImportOptions): Promise<void> {
    const { chain, signedBlocks, announce } = this.options;
    this.duplicates.produced(block);
    chain.importBlock(block, options);
    await chain.ledger.flush();
    signedBlocks.settle(block);
    // An announced block must survive a crash, because peers may build on it.
    if (equalBytes(chain.ledger.position.headId, block.id)) announce?.(block);
    chain.mempool.reinject();
  }

  /** Marks signed blocks as not pending if they are already in the canonical chain at the start. */
  private settleStored(): void {
    const { chain, signedBlocks } = this.options;
    for (const block of signedBlocks.pending) {
      const id = chain.ledger.blockIdAt(block.number);
      if (id !== undefined && equalBytes(id, block.id)) signedBlocks.settle(block);
    }
  }

  /**
   * Publishes the signed blocks that this node has not imported because of a crash or a storage error. A block above
   * the solidified height with an unknown parent remains pending, because this node is not synced yet.
   */
  private async publishPending(): Promise<void> {
    const { chain, signedBlocks } = this.options;
    for (const block of signedBlocks.pending) {
      if (chain.recent.get(block.parentIdHex) !== undefined) await this.publishAgain(block);
      else if (block.number <= chain.solidifiedNumber) signedBlocks.settle(block);
    }
  }

  private async publishAgain(block: EncodedBlock): Promise<void> {
    const { log, signedBlocks } = this.options;
    const fields = { num: block.number, hash: block.idHex };
    try {
      await this.publish(decodeBlock(block.bytes), {});
      log.info(fields, 'published the block that was signed before the last stop');
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      signedBlocks.settle(block);
      log.error(
        { ...fields, err: error },
        'dropped the block that was signed before the last stop: the block is invalid',
      );
    }
  }
}
