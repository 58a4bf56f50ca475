import type { Chain } from '../../../../src/chain/chain.js';
import type { Transaction } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import type { Actor } from '../actors.js';
import type { GrownChain } from '../chain-run.js';
import { makeOurs, offerOurs, pushOurs } from '../our-node.js';

/** A block that was pushed to a chain, and the result. */
export interface Pushed {
  readonly block: DecodedBlock;
  /** `taken`, or the class name of the exception. */
  readonly answer: string;
  /** Id of the head after the push, hex. */
  readonly head: string;
  /** Position of the newest log entry after the push. */
  readonly seq: number;
}

/** A chain of this node alone. It records each block that was pushed. */
export class OwnChain implements GrownChain {
  readonly chain: Chain;
  readonly pushes: Pushed[] = [];

  constructor(chain: Chain) {
    this.chain = chain;
  }

  async offer(transaction: Transaction): Promise<boolean> {
    return offerOurs(this.chain, transaction) === undefined;
  }

  async make(witness: Uint8Array, signer: Actor, timeMs: number): Promise<DecodedBlock | undefined> {
    return makeOurs(this.chain, witness, signer, timeMs);
  }

  /**
   * Pushes a block with an empty mempool. The reference skips signature checks of pending transactions, but in this
   * measurement it gets only blocks.
   */
  async push(block: DecodedBlock, keeps = false): Promise<void> {
    const { chain } = this;
    const waiting = keeps ? chain.mempool.pending.values().map(({ transaction }) => transaction.message) : [];
    chain.mempool.clear();
    const answer = pushOurs(chain, block)?.error ?? 'taken';
    for (const transaction of waiting) offerOurs(chain, transaction);
    const { headId, seq } = chain.ledger.position;
    this.pushes.push({ block, answer, head: toHex(headId), seq });
  }
}
