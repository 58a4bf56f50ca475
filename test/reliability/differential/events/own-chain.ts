import type { Chain } from '../../../../src/chain/chain.js';
import type { Transaction } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import type { Actor } from '../actors.js';
import type { GrownChain } from '../chain-run.js';
import { makeOurs, offerOurs, pushOurs } from '../our-node.js';

/** A pushed block and its result. */
export interface Pushed {
  readonly block: DecodedBlock;
  /** Result of the push: `taken` if the block was accepted, otherwise the class name of the exception. */
  readonly answer: string;
  /** Id of the head after the push, in hex. */
  readonly head: string;
  /** Seq of the newest log entry after the push. */
  readonly seq: number;
}

/** A chain on this node only. It records each pushed block. */
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
   * Empties the mempool, then pushes a block. The compared java-tron has no pending transactions, so it checks all
   * signatures of the block.
   */
  async push(block: DecodedBlock, keeps = false): Promise<void> {
    const { chain } = this;
    const pending = keeps ? chain.mempool.pending.values().map(({ transaction }) => transaction.message) : [];
    chain.mempool.clear();
    const answer = pushOurs(chain, block)?.error ?? 'taken';
    for (const transaction of pending) offerOurs(chain, transaction);
    const { headId, seq } = chain.ledger.position;
    this.pushes.push({ block, answer, head: toHex(headId), seq });
  }
}
