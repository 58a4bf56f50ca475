import { ReturnResponse_code as Code, Return } from '../../codec/generated/messages.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { utf8 } from '../../primitives/bytes.js';
import { dropOldest } from '../../primitives/drop-oldest.js';
import { ChainError, refuse } from '../../state-transition/errors.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import {
  decodeTransaction,
  withoutUnknown,
  withResults,
} from '../../state-transition/transactions/decode-transaction.js';
import type { ApiContext } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';

/**
 * Response code and text for each exception class that rejects a broadcast. If the text ends with a space, the message
 * of the exception follows it.
 */
const refusals: Readonly<Record<string, readonly [code: keyof typeof Code, text: string]>> = {
  ValidateSignatureException: ['SIGERROR', 'Validate signature error: '],
  ContractValidateException: ['CONTRACT_VALIDATE_ERROR', 'Contract validate error : '],
  ContractSizeNotEqualToOneException: ['CONTRACT_VALIDATE_ERROR', 'Contract validate error : '],
  ContractExeException: ['CONTRACT_EXE_ERROR', 'Contract execute error : '],
  AccountResourceInsufficientException: ['BANDWITH_ERROR', 'Account resource insufficient error.'],
  DupTransactionException: ['DUP_TRANSACTION_ERROR', 'Dup transaction.'],
  TaposException: ['TAPOS_ERROR', 'Tapos check error.'],
  TooBigTransactionException: ['TOO_BIG_TRANSACTION_ERROR', 'Transaction size is too big.'],
  TransactionExpirationException: ['TRANSACTION_EXPIRATION_ERROR', 'Transaction expired'],
};

/** Cache of transaction ids, in this thread or in another one. */
export interface KnownIds {
  /**
   * Adds an id.
   * @returns false if the id is already present
   */
  add(id: string): boolean | Promise<boolean>;
}

/**
 * Ids of recent transactions that were sent to this node or are part of an applied block. An id expires after an hour.
 * Reference: Manager.transactionIdCache.
 */
export class RememberedIds implements KnownIds {
  /** Expiry time of each id, in ms of the clock. The oldest id is first. */
  private readonly ids = new Map<string, number>();
  private readonly nowMs: () => number;

  /** @param nowMs monotonic clock, in ms */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  add(id: string): boolean {
    const expiry = this.ids.get(id);
    if (expiry !== undefined && this.nowMs() < expiry) return false;
    this.store(id);
    return true;
  }

  /** Stores an id. If the id is already present, its lifetime of one hour starts again. */
  store(id: string): void {
    this.ids.delete(id);
    this.ids.set(id, this.nowMs() + ID_MS);
    if (this.ids.size > IDS_MAX) dropOldest(this.ids);
  }
}

/**
 * Maximum size of a signature, in bytes. A signature has 65 bytes; up to three more are accepted and ignored.
 * Reference: Constant.MAX_PER_SIGN_LENGTH.
 */
const SIGNATURE_BYTES_MAX = 68;

/** Maximum number of cached transaction ids. Reference: Manager.TX_ID_CACHE_SIZE. */
const IDS_MAX = 100_000;
/** Time in ms after which a cached transaction id expires. Reference: Manager.transactionIdCache. */
const ID_MS = 3_600_000;

/**
 * Validates a transaction, adds it to the mempool and broadcasts it. A read replica only forwards the transaction to
 * the node of `tronicle.source.submit`. Reference: Wallet.broadcastTransaction.
 */
export async function broadcastTransaction(
  api: ApiContext,
  transaction: DecodedTransaction,
  remembered: KnownIds,
): Promise<Return> {
  const { settings, peers, pending, relay } = api;
  const { release } = settings;
  if (relay !== undefined) return relay(transaction);
  if (!release.checksBroadcastLast) {
    try {
      api.checkMessage(transaction);
    } catch (error) {
      return refusalOf(error, release);
    }
  }
  const odd = release.checksSignatures ? transaction.message.signature.find(isOddSignature) : undefined;
  if (odd !== undefined) return answer('SIGERROR', `Validate signature error: Signature size is ${odd.length}`);
  if (api.openBlocks - 1 >= settings.unsolidifiedMax) return answer('BLOCK_UNSOLIDIFIED', 'Block unsolidified.');
  if (settings.connectionsMin !== 0) {
    if (peers.active === 0) return answer('NO_CONNECTION', 'No connection.');
    if (peers.inSync < settings.connectionsMin) {
      const text = `Effective connection:${peers.inSync} lt minEffectiveConnection:${settings.connectionsMin}`;
      return answer('NOT_ENOUGH_EFFECTIVE_CONNECTION', text);
    }
  }
  if (pending.offered > settings.pendingMax) return answer('SERVER_BUSY', 'Server busy.');
  if (settings.remembersIds && !(await remembered.add(transaction.idHex))) {
    return answer('DUP_TRANSACTION_ERROR', 'Transaction already exists.');
  }
  let announced = transaction;
  try {
    const hasResults = transaction.message.ret.length > 0;
    const drops = hasResults && api.view('head').state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS');
    if (transaction.raw.contract.length === 0) refuse('No contract!');
    await api.submit(drops ? withResults(transaction, []) : transaction);
    if (release.checksBroadcastLast) {
      // The copy in the mempool contains the result of the transaction, and no unknown fields.
      const admitted = pending.find(transaction.idHex);
      announced = admitted === undefined ? withoutUnknown(transaction) : decodeTransaction(admitted);
      api.checkMessage(announced);
    }
  } catch (error) {
    return refusalOf(error, release);
  }
  if (peers.broadcast(announced) === 0 && settings.connectionsMin !== 0) {
    return answer('NOT_ENOUGH_EFFECTIVE_CONNECTION', 'P2P broadcast failed.');
  }
  return Object.assign(new Return(), { result: true, code: Code.SUCCESS });
}

function isOddSignature({ length }: Uint8Array): boolean {
  return length < SIGNATURE_BYTES || length > SIGNATURE_BYTES_MAX;
}

function refusalOf(error: unknown, { namesSizes }: ApiRelease): Return {
  const row = error instanceof ChainError ? refusals[error.exception] : undefined;
  const found = javaError(error);
  if (found === undefined) throw error;
  if (row === undefined) return answer('OTHER_ERROR', `Error: ${found.text}`);
  const [code, text] = row;
  if (namesSizes && code === 'TOO_BIG_TRANSACTION_ERROR') return answer(code, found.text ?? '');
  return answer(code, text.endsWith(' ') ? text + found.text : text);
}

function answer(code: keyof typeof Code, text: string): Return {
  return Object.assign(new Return(), { code: Code[code], message: utf8(text) });
}
