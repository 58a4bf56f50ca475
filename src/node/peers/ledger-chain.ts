import type { Logger } from 'pino';
import type { Chain, PushOptions } from '../../chain/chain.js';
import { isSignedByWitness } from '../../chain/production/witness-signature.js';
import { javaClassOf } from '../../java-compat/class-name.js';
import type { Judgement, LocalChain, Pushed } from '../../p2p/local-chain.js';
import { P2pError, refusalIn } from '../../p2p/p2p-error.js';
import type { PeerObserver } from '../../p2p/peer-observer.js';
import { fromInt64, toHex } from '../../primitives/bytes.js';
import { type DecodedBlock, hasRightMerkleRoot } from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';
import { ChainError, unchecked } from '../../state-transition/errors.js';
import type { State } from '../../state-transition/state/state.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import type { FindSigner } from '../../state-transition/transactions/validate-signature.js';
import type { StopTarget } from '../stop-target.js';
import type { SignaturePool } from '../threads/signatures/signature-pool.js';
import { ChainFacts, type ChainFactsOptions, isKnown } from './chain-facts.js';

interface LedgerChainOptions extends ChainFactsOptions {
  readonly signatures: SignaturePool;
  readonly target: StopTarget;
  /** The next block lies behind the target: nothing more is taken. */
  readonly targetReached: () => void;
  /** A block of a peer is about to be executed. */
  readonly blockCame: (block: DecodedBlock) => void;
  readonly observer: PeerObserver;
  readonly log: Logger;
}

/** The node's chain as the side of the peers sees it: to its facts what peers' blocks and transactions lead to. */
export class LedgerChain extends ChainFacts implements LocalChain {
  private readonly options: LedgerChainOptions;
  /** By the bytes of blocks, which are the same before and after they are taken apart. */
  private readonly signers = new WeakMap<Uint8Array, FindSigner>();
  private hasReached = false;

  constructor(options: LedgerChainOptions) {
    super(options);
    this.options = options;
  }

  judge(block: EncodedBlock): Judgement {
    return judgeBlock(this.options.chain, block);
  }

  push(block: DecodedBlock, as: 'synced' | 'announced'): Pushed {
    if (this.isBehindTarget(block)) return { kind: 'stopped' };
    if (as === 'synced') return this.decide(block, as);
    this.prepare(block);
    const pushed = this.decide(block, as);
    this.settle();
    return pushed;
  }

  private decide(block: DecodedBlock, as: 'synced' | 'announced'): Pushed {
    const done = this.timed(block, as === 'synced');
    try {
      pushReceived(this.options.chain, block, this.pushOptions(block));
    } catch (thrown) {
      const error = refusalIn(thrown, as === 'synced' ? 'BAD_BLOCK' : 'PARSE_MESSAGE_FAILED');
      if (error === undefined) throw thrown;
      done(error);
      return { kind: 'refused', error };
    }
    done();
    return { kind: this.head.hex === block.idHex ? 'applied' : 'side' };
  }

  offer(transaction: DecodedTransaction): DecodedTransaction {
    try {
      return offerReceived(this.options.chain, transaction);
    } catch (error) {
      throw refusalIn(error, 'TRX_EXE_FAILED') ?? error;
    }
  }

  prepare({ bytes }: EncodedBlock): void {
    this.signers.set(bytes, this.options.signatures.prepare(bytes));
  }

  settle(): void {
    const { chain, log } = this.options;
    chain.ledger.flush().catch((error: unknown) => log.error({ err: error }, 'blocks of peers could not be stored'));
    chain.pool.offerAgain();
  }

  /**
   * Told of a block's begin; one that came before does not count. @returns to be told of its end, and of why it is
   * refused
   */
  private timed(block: DecodedBlock, isSynced: boolean): (refusal?: P2pError) => void {
    const { observer } = this.options;
    if (this.isKnown({ hex: block.idHex, number: block.number })) return () => undefined;
    this.options.blockCame(block);
    const started = performance.now();
    if (!isSynced) observer.blockArrives(block);
    return (refusal) => {
      if (refusal === undefined) observer.blockTaken((performance.now() - started) / 1000, isSynced);
      else observer.blockFailed(block.number, refusal.message);
    };
  }

  private pushOptions(block: DecodedBlock): { readonly findSigner?: FindSigner } {
    const findSigner = this.signers.get(block.bytes);
    return findSigner === undefined ? {} : { findSigner };
  }

  private isBehindTarget(block: DecodedBlock): boolean {
    if (this.hasReached) return true;
    if (this.isKnown({ hex: block.idHex, number: block.number }) || !this.options.target.isReachedBefore(block))
      return false;
    this.hasReached = true;
    this.options.targetReached();
    return true;
  }
}

/** What the state of the head says of a peer's block. */
export function judgeBlock(chain: Chain, block: EncodedBlock): Judgement {
  return {
    isLinked: isKnown(chain, parentId(block)),
    isLow: block.number < chain.ledger.position.headNumber,
    isActive: activeWitnesses(chain.state).includes(block.witness),
    signatureFault: signatureFault(chain.state, block),
  };
}

/**
 * Pushes a peer's block.
 * Reference: TronNetDelegate.processBlock.
 * @throws {P2pError | ChainError} BLOCK_MERKLE_ERROR, BAD_BLOCK; unchecked
 */
export function pushReceived(chain: Chain, block: DecodedBlock, options: PushOptions = {}): void {
  try {
    chain.push(block, options);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const isRoot = error.exception === 'BadBlockException' && !hasRightMerkleRoot(block);
    throw new P2pError(isRoot ? 'BLOCK_MERKLE_ERROR' : 'BAD_BLOCK', javaText(error), { cause: error });
  }
}

/**
 * Offers a peer's transaction to the pool.
 * Reference: TronNetDelegate.pushTransaction.
 * @throws {P2pError | ChainError} BAD_TRX, TRX_EXE_FAILED; unchecked
 */
export function offerReceived(chain: Chain, transaction: DecodedTransaction): DecodedTransaction {
  if (transaction.raw.contract.length === 0) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  try {
    return chain.pool.offer(transaction);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const code = BAD_TRANSACTIONS.has(error.exception) ? 'BAD_TRX' : 'TRX_EXE_FAILED';
    throw new P2pError(code, javaText(error), { cause: error });
  }
}

const BAD_TRANSACTIONS = new Set(['ContractSizeNotEqualToOneException', 'VMIllegalException']);

/** The parent's id: its hash with the number before this block's written over the first 8 bytes. */
function parentId({ raw, number }: EncodedBlock): string {
  return toHex(fromInt64(BigInt(number) - 1n)) + toHex(raw.parentHash.subarray(8));
}

/** Reference: BlockCapsule.validateSignature. */
function signatureFault(state: State, block: EncodedBlock): P2pError | undefined {
  let isRight: boolean;
  try {
    isRight = isSignedByWitness(state, block);
  } catch (error) {
    if (error instanceof ChainError) return new P2pError('BLOCK_SIGN_ERROR', javaText(error), { cause: error });
    throw error;
  }
  return isRight ? undefined : new P2pError('BLOCK_SIGN_ERROR', 'valid signature failed.');
}

/** An exception as Java prints it: class name, and text where there is one. */
function javaText({ exception, text }: ChainError): string {
  const name = javaClassOf(exception);
  return text === null ? name : `${name}: ${text}`;
}
