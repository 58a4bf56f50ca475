import { fromHex, fromInt64, toHex } from '../../domain/bytes.js';
import type { Judgement } from '../../p2p/local-chain.js';
import { P2pError } from '../../p2p/p2p-error.js';
import { type DecodedBlock, hasRightMerkleRoot } from '../../vm/block/decoded-block.js';
import type { EncodedBlock } from '../../vm/block/encoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { ChainError, unchecked } from '../../vm/errors.js';
import type { State } from '../../vm/state/state.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import type { Chain, PushOptions } from './chain.js';
import { isSignedByWitness } from './witness-signature.js';

/** What the state of the head says of a peer's block. */
export function judgeBlock(chain: Chain, block: EncodedBlock): Judgement {
  return {
    isLinked: isKnown(chain, parentId(block)),
    isLow: block.number < chain.ledger.position.headNumber,
    isActive: activeWitnesses(chain.state).includes(block.witness),
    signatureFault: signatureFault(chain.state, block),
  };
}

/** Pushes a peer's block. Reference: TronNetDelegate.processBlock. @throws {P2pError | ChainError} BLOCK_MERKLE_ERROR, BAD_BLOCK; unchecked */
export function pushReceived(chain: Chain, block: DecodedBlock, options: PushOptions = {}): void {
  try {
    chain.push(block, options);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const isRoot = error.exception === 'BadBlockException' && !hasRightMerkleRoot(block);
    throw new P2pError(isRoot ? 'BLOCK_MERKLE_ERROR' : 'BAD_BLOCK', javaText(error), { cause: error });
  }
}

/** Offers a peer's transaction to the pool. Reference: TronNetDelegate.pushTransaction. @throws {P2pError | ChainError} BAD_TRX, TRX_EXE_FAILED; unchecked */
export function offerReceived(chain: Chain, transaction: DecodedTransaction): void {
  if (transaction.raw.contract.length === 0) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  try {
    chain.pool.offer(transaction);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const code = BAD_TRANSACTIONS.has(error.exception) ? 'BAD_TRX' : 'TRX_EXE_FAILED';
    throw new P2pError(code, javaText(error), { cause: error });
  }
}

const BAD_TRANSACTIONS = new Set(['ContractSizeNotEqualToOneException', 'VMIllegalException']);

/** Whether a block waits among the recent ones, or is canonical. */
export function isKnown({ recent, ledger }: Chain, idHex: string): boolean {
  return recent.get(idHex) !== undefined || ledger.numberOf(fromHex(idHex)) !== undefined;
}

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
  const name = `${packageOf(exception)}.${exception}`;
  return text === null ? name : `${name}: ${text}`;
}

function packageOf(exception: string): string {
  if (JAVA_LANG.has(exception)) return 'java.lang';
  return PROTOBUF.has(exception) ? 'com.google.protobuf' : 'org.tron.core.exception';
}

const JAVA_LANG = new Set([
  'NullPointerException',
  'IndexOutOfBoundsException',
  'ArrayIndexOutOfBoundsException',
  'IllegalArgumentException',
  'ArithmeticException',
  'RuntimeException',
]);
const PROTOBUF = new Set(['InvalidProtocolBufferException']);
