import type { Chain } from '../../src/chain/chain.js';
import { itemAt, present } from '../../src/primitives/assert.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { recoverSigner } from '../../src/state-transition/transactions/recover-signer.js';
import type { Span } from './timed-run.js';

const ADDRESS_PREFIX = 0x41;

/** Stages of an import, in their order. `commit` writes log, checkpoint and state to the disk. */
export const STAGES = ['decode', 'recovery', 'execution', 'commit'] as const;

/** Time of each stage, in ms, and the positions between which rates are measured. */
export type Stages = Readonly<Record<(typeof STAGES)[number], number>> & { readonly span: Span };

/**
 * Imports blocks in separate stages on this thread.
 * @param flushBlocks number of blocks that are written to the disk together
 */
export async function measureStages(
  chain: Chain,
  blocks: AsyncIterable<Uint8Array>,
  flushBlocks: number,
): Promise<Stages> {
  const sums = { decode: 0, recovery: 0, execution: 0, commit: 0 };
  const stands = [{ height: chain.ledger.position.headNumber, transactions: 0 }];
  const flush = async (): Promise<void> => {
    const started = performance.now();
    await chain.ledger.flush();
    sums.commit += performance.now() - started;
  };
  for await (const bytes of blocks) {
    const started = performance.now();
    const block = decodeBlock(bytes);
    const decoded = performance.now();
    const signers = new Map<Uint8Array, Uint8Array>();
    for (const { id, message } of block.transactions) {
      for (const signature of message.signature) signers.set(signature, recoverSigner(id, signature, ADDRESS_PREFIX));
    }
    const recovered = performance.now();
    chain.importBlock(block, { findSigner: (_hash, signature) => signers.get(signature)! });
    sums.decode += decoded - started;
    sums.recovery += recovered - decoded;
    sums.execution += performance.now() - recovered;
    const transactions = itemAt(stands, stands.length - 1).transactions + block.transactions.length;
    stands.push({ height: block.number, transactions });
    if (stands.length % flushBlocks === 0) await flush();
  }
  await flush();
  const total = itemAt(stands, stands.length - 1).transactions;
  const firstWith = (count: number): Span['end'] =>
    present(
      stands.find(({ transactions }) => transactions >= count),
      'the last one has all',
    );
  // The range ends at the last block with transactions. Empty blocks follow it, because a syncing node stops at a block
  // only after it has received the next block.
  return { ...sums, span: { third: firstWith(total / 3), end: firstWith(total) } };
}
