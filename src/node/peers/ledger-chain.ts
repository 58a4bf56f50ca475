import type { Logger } from 'pino';
import type { Chain, ImportOptions } from '../../chain/chain.js';
import { isSignedByWitness } from '../../chain/production/witness-signature.js';
import { javaClassOf } from '../../java-compat/class-name.js';
import type { HeaderCheck, ImportResult, LocalChain } from '../../p2p/local-chain.js';
import { P2pError, rejectReasonIn } from '../../p2p/p2p-error.js';
import type { PeerObserver } from '../../p2p/peer-observer.js';
import { fromInt64, toHex } from '../../primitives/bytes.js';
import { isStorageError } from '../../primitives/errors.js';
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
  /** Called once when the next block is above the stop target. No block is imported after this call. */
  readonly targetReached: () => void;
  /** Called before a block of a peer is executed. */
  readonly blockReceived: (block: DecodedBlock) => void;
  readonly observer: PeerObserver;
  readonly log: Logger;
}

/**
 * The node's chain as the peer-to-peer module uses it. Adds the import of blocks and transactions to {@link
 * ChainFacts}.
 */
export class LedgerChain extends ChainFacts implements LocalChain {
  private readonly options: LedgerChainOptions;
  /**
   * Functions that return already recovered signers, by block bytes. The key is the bytes object itself, because a
   * decoded block refers to the same object as the received block.
   */
  private readonly signers = new WeakMap<Uint8Array, FindSigner>();
  private hasReached = false;

  constructor(options: LedgerChainOptions) {
    super(options);
    this.options = options;
  }

  checkHeader(block: EncodedBlock): HeaderCheck {
    return checkBlockHeader(this.options.chain, block);
  }

  importBlock(block: DecodedBlock, as: 'synced' | 'announced'): ImportResult {
    if (this.isBehindTarget(block)) return { kind: 'stopped' };
    if (as === 'synced') return this.decide(block, as);
    this.prefetchSignatures(block);
    const pushed = this.decide(block, as);
    return this.isFlushed() ? pushed : { kind: 'unstored' };
  }

  private decide(block: DecodedBlock, as: 'synced' | 'announced'): ImportResult {
    const done = this.timed(block, as === 'synced');
    try {
      importReceived(this.options.chain, block, this.pushOptions(block));
    } catch (thrown) {
      if (isStorageError(thrown)) {
        this.options.log.error({ err: thrown, num: block.number }, 'block not stored');
        return { kind: 'unstored' };
      }
      const error = rejectReasonIn(thrown, as === 'synced' ? 'BAD_BLOCK' : 'PARSE_MESSAGE_FAILED');
      if (error === undefined) throw thrown;
      done(error);
      return { kind: 'refused', error };
    }
    done();
    return { kind: this.head.hex === block.idHex ? 'applied' : 'side' };
  }

  addTransaction(transaction: DecodedTransaction): DecodedTransaction {
    try {
      return addReceived(this.options.chain, transaction);
    } catch (error) {
      throw rejectReasonIn(error, 'TRX_EXE_FAILED') ?? error;
    }
  }

  prefetchSignatures({ bytes }: EncodedBlock): void {
    this.signers.set(bytes, this.options.signatures.prepare(bytes));
  }

  flush(): void {
    this.isFlushed();
  }

  /** Flushes imported blocks to disk. @returns false if the flush failed; the next flush retries */
  private isFlushed(): boolean {
    const { chain, log } = this.options;
    try {
      chain.ledger.flushNow();
      return true;
    } catch (error) {
      log.error({ err: error }, 'flush of imported blocks failed');
      return false;
    } finally {
      this.reinject();
    }
  }

  /** Executes the pending transactions again. An error must not count as a fault of the peer that sent the block. */
  private reinject(): void {
    const { chain, log } = this.options;
    try {
      chain.mempool.reinject();
    } catch (error) {
      log.error({ err: error }, 'execution of a pending transaction failed');
    }
  }

  /**
   * Notifies the observer of a new block. Ignores blocks that the chain already has.
   * @returns a function to call after the import, with the error if the block was rejected
   */
  private timed(block: DecodedBlock, isSynced: boolean): (refusal?: P2pError) => void {
    const { observer } = this.options;
    if (this.isKnown({ hex: block.idHex, number: block.number })) return () => undefined;
    this.options.blockReceived(block);
    const started = performance.now();
    if (!isSynced) observer.blockArrives(block);
    return (refusal) => {
      if (refusal === undefined) observer.blockAccepted((performance.now() - started) / 1000, isSynced);
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

/** Checks a peer's block header against the state of the head. */
export function checkBlockHeader(chain: Chain, block: EncodedBlock): HeaderCheck {
  return {
    isLinked: isKnown(chain, parentId(block)),
    isLow: block.number < chain.ledger.position.headNumber,
    isActive: activeWitnesses(chain.state).includes(block.witness),
    signatureFault: signatureFault(chain.state, block),
  };
}

/**
 * Imports a peer's block.
 * Reference: TronNetDelegate.processBlock.
 * @throws {P2pError} BLOCK_MERKLE_ERROR, BAD_BLOCK: the block is invalid
 * @throws {ChainError} for failures that are unchecked exceptions in java-tron
 */
export function importReceived(chain: Chain, block: DecodedBlock, options: ImportOptions = {}): void {
  try {
    chain.importBlock(block, options);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const isRoot = error.exception === 'BadBlockException' && !hasRightMerkleRoot(block);
    throw new P2pError(isRoot ? 'BLOCK_MERKLE_ERROR' : 'BAD_BLOCK', javaText(error), { cause: error });
  }
}

/**
 * Adds a peer's transaction to the mempool. Reference: TronNetDelegate.pushTransaction.
 * @throws {P2pError} BAD_TRX, TRX_EXE_FAILED: the transaction is invalid
 * @throws {ChainError} for failures that are unchecked exceptions in java-tron
 */
export function addReceived(chain: Chain, transaction: DecodedTransaction): DecodedTransaction {
  if (transaction.raw.contract.length === 0) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  try {
    return chain.mempool.validateAndAdd(transaction);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const code = BAD_TRANSACTIONS.has(error.exception) ? 'BAD_TRX' : 'TRX_EXE_FAILED';
    throw new P2pError(code, javaText(error), { cause: error });
  }
}

const BAD_TRANSACTIONS = new Set(['ContractSizeNotEqualToOneException', 'VMIllegalException']);

/** Returns the parent id in hex: the parent hash, with its first 8 bytes replaced by the height of this block − 1. */
function parentId({ raw, number }: EncodedBlock): string {
  return toHex(fromInt64(BigInt(number) - 1n)) + toHex(raw.parentHash.subarray(8));
}

/**
 * Verifies the block signature against the key of the block's witness. Returns the fault; undefined if the signature is
 * valid. Reference: BlockCapsule.validateSignature.
 */
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

/** Formats an exception as Java does: the class name, then a colon and the text if there is one. */
function javaText({ exception, text }: ChainError): string {
  const name = javaClassOf(exception);
  return text === null ? name : `${name}: ${text}`;
}
