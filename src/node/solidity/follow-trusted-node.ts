import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Chain } from '../../chain/chain.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';
import type { Service } from '../lifecycle/node.js';
import type { StopTarget } from '../stop-target.js';
import { TrustedNode } from './trusted-node.js';

interface FollowOptions {
  readonly chain: Pick<Chain, 'importBlock'> & { readonly ledger: Pick<Chain['ledger'], 'position' | 'flush'> };
  /** Address of the trusted node's gRPC server, as host:port (`node.trustNode`). */
  readonly address: string;
  /** Stop conditions of `node.shutdown`. */
  readonly target?: StopTarget;
  readonly log: Logger;
}

/** Delay before a retry, in ms. */
const RETRY_MS = 1000;
/** Number of blocks between two flushes during catch-up. */
const BATCH = 100;

/**
 * Imports the solidified blocks of a trusted node one by one, without verifying signatures and Merkle roots. Requests a
 * missing or invalid block again until it is valid. Reference: SolidityNode, pushVerifiedBlock.
 */
export class FollowTrustedNode implements Service {
  /** Resolves after `close` or at the stop target. */
  readonly ended: Promise<void>;
  private readonly options: FollowOptions;
  private readonly node: TrustedNode;
  private readonly stop = new AbortController();
  /** Newest solidified height of the trusted node, as of the last request. */
  private reachable = 0;

  constructor(options: FollowOptions) {
    this.options = options;
    this.node = new TrustedNode(options.address);
    this.ended = this.run();
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.node.close();
    await this.ended;
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      try {
        await this.takeNext();
      } catch (error) {
        if (signal.aborted) return;
        this.options.log.error(
          { err: error, next: this.nextNumber },
          'block of the trusted node not received or not stored, retrying',
        );
        await this.wait(RETRY_MS);
      }
    }
  }

  private get nextNumber(): number {
    return this.options.chain.ledger.position.headNumber + 1;
  }

  private async takeNext(): Promise<void> {
    const { chain, target, log } = this.options;
    const number = this.nextNumber;
    if (number > this.reachable) {
      await chain.ledger.flush();
      this.reachable = await this.node.solidifiedNumber();
      if (number > this.reachable) return await this.wait(SLOT_MS);
    }
    const block = await this.node.block(number);
    if (block.number !== number) {
      log.warn({ expected: number, received: block.number }, 'trusted node sent another block, retrying');
      return await this.wait(RETRY_MS);
    }
    this.take(block);
    if (number % BATCH === 0) await chain.ledger.flush();
    if (target?.isReachedBy(number) === true) this.stop.abort();
  }

  private take(block: DecodedBlock): void {
    const { chain, target } = this.options;
    if (target?.isReachedBefore(block) === true) this.stop.abort();
    if (!this.stop.signal.aborted) chain.importBlock(block, { isOwn: true });
  }

  private async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}
