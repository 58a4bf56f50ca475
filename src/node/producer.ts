import type { Logger } from 'pino';
import { addressBytes } from '../log/domain/address.js';
import type { DecodedBlock } from '../vm/block/decoded-block.js';
import { SLOT_MS, scheduledWitness, slotAt, slotTime } from '../vm/consensus/schedule.js';
import { participationRate } from '../vm/consensus/statistics.js';
import { witnessKeyAddress } from '../vm/permissions.js';
import type { Chain } from './chain/chain.js';
import { produceBlock } from './chain/produce-block.js';
import type { Clock } from './clock.js';
import type { ProducerKeys } from './drive/producer-keys.js';

export interface ProducerOptions {
  readonly chain: Chain;
  readonly keys: ProducerKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isSorted: boolean;
  /** Percent of the time until the middle of a slot that packing may take. `node.blockProducedTimeOut` */
  readonly timeoutPercent: number;
  /** Percent of filled slots below which no block is produced. `node.minParticipationRate` */
  readonly minParticipationRate: number;
  /** Nothing is produced until the slot of the head is the present one. `block.needSyncCheck` */
  readonly needsSyncFirst?: boolean;
  /** Peers hear of a block before it is applied here. Reference: BlockHandleImpl.produce. */
  readonly announce?: (block: DecodedBlock) => void;
}

/** A slot is tried this much before its time. Reference: DposTask. */
const EARLY_MS = 50;

/** Produces the blocks of the slots whose witness keys are known here. Reference: DposTask, StateManager. */
export class Producer {
  private readonly options: ProducerOptions;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private waitsForSync: boolean;

  constructor(options: ProducerOptions) {
    this.options = options;
    this.waitsForSync = options.needsSyncFirst === true;
  }

  start(): void {
    const { chain, clock } = this.options;
    if (this.isStopped) return;
    const next = Math.max(slotTime(chain.state, 1), Math.ceil((clock.now() + 1) / SLOT_MS) * SLOT_MS);
    this.timer = setTimeout(() => {
      this.tick()
        .catch((error: unknown) => this.options.log.error({ error }, 'a block could not be produced'))
        .finally(() => this.start());
    }, clock.untilMs(next));
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Produces the block of the slot at the node's time, when it is ours; answers whether it did. */
  async tick(): Promise<boolean> {
    const { chain, clock, log, minParticipationRate } = this.options;
    const now = clock.now();
    if (this.waitsForSync) {
      this.waitsForSync = slotTime(chain.state, 1) < now;
      return false;
    }
    if (participationRate(chain.state) < minParticipationRate) {
      log.warn({ minParticipationRate }, 'too few slots hold a block, none is produced');
      return false;
    }
    const slot = slotAt(chain.state, now + EARLY_MS);
    return slot > 0 && this.produce(slot);
  }

  private async produce(slot: number): Promise<boolean> {
    const { chain, keys, clock, log, isSorted, timeoutPercent } = this.options;
    chain.pool.takeBack();
    const witness = scheduledWitness(chain.state, slot);
    const account = chain.state.account(witness);
    const key = keys.get(account === undefined ? addressBytes(witness) : witnessKeyAddress(account));
    if (key === undefined) return false;
    const timeMs = slotTime(chain.state, slot);
    const begunMs = clock.now();
    const started = performance.now();
    const deadline = Math.max(timeMs, begunMs) + (SLOT_MS / 2) * (timeoutPercent / 100);
    const { headNumber, headId } = chain.ledger.position;
    const block = produceBlock(chain.state, chain.pool, {
      witness,
      key,
      timeMs,
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted,
      isTimeUp: () => clock.now() > deadline,
    });
    if (block === undefined) return false;
    const seconds = (performance.now() - started) / 1000;
    for (const listener of chain.listeners)
      listener.produced?.(addressBytes(witness), seconds, (begunMs - timeMs) / 1000);
    this.options.announce?.(block);
    chain.push(block, { isOwn: true });
    await chain.ledger.flush();
    chain.pool.offerAgain();
    log.info({ num: block.number, hash: block.idHex, transactions: block.transactions.length }, 'block produced');
    return true;
  }
}
