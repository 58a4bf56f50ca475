import type { Logger } from 'pino';
import { TransactionContractContractType as ContractType } from '../../codec/generated/messages.js';
import { isSmartContract } from '../../state-transition/system-contracts/table.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { PeerObserver } from '../peer-observer.js';
import type { IdleClock } from '../peers/idle-clock.js';
import type { Peer } from '../peers/peer.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { isSignatureSize } from '../wire/signature-size.js';
import type { Advertiser } from './advertiser.js';

/**
 * If at least this number of transactions other than contract calls is queued, these transactions are executed before
 * contract calls. Otherwise, both kinds alternate. Reference: MAX_SMART_CONTRACT_SUBMIT_SIZE.
 */
const OTHERS_FIRST = 100;
/**
 * Maximum size of the queued transactions, in bytes. Above it, this node drops received transactions. Without this
 * limit, a hostile peer could queue 50,000 transactions of 500 KB behind slow contract calls. java-tron has no such
 * limit.
 */
const QUEUED_BYTES_MAX = 64 * 1024 * 1024;
/** Time for which the thread executes queued transactions before it does other work, in ms. */
const SLICE_MS = 10;
/** Contract types of the protobuf schema, including types that no release executes. */
const CONTRACT_TYPES: ReadonlySet<number> = new Set(Object.values(ContractType));

interface Arrival {
  readonly peer: Peer;
  readonly transaction: DecodedTransaction;
}

interface TransactionIntakeOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly advertiser: Advertiser;
  readonly waitClock: IdleClock;
  readonly observer: PeerObserver;
  readonly log: Logger;
}

/** Queue of transactions from peers. They are added to the mempool one by one. Reference: TransactionsMsgHandler. */
export class TransactionIntake {
  private readonly options: TransactionIntakeOptions;
  private readonly calls: Arrival[] = [];
  private readonly others: Arrival[] = [];
  private queuedBytes = 0;
  private isScheduled = false;
  private isCallsTurn = false;
  private isClosed = false;

  constructor(options: TransactionIntakeOptions) {
    this.options = options;
  }

  /**
   * True if the queue is full. While it is full, this node requests no announced transactions. In some releases, the
   * transactions in the mempool count as queued.
   */
  get isBusy(): boolean {
    const { chain, release } = this.options;
    const pooled = release.countsPool ? chain.pendingTransactions : 0;
    if (this.queuedBytes > QUEUED_BYTES_MAX) return true;
    return this.calls.length + this.others.length + pooled > release.limits.transactionsMax;
  }

  close(): void {
    this.isClosed = true;
  }

  /**
   * Queues the transactions of a message.
   * @throws {P2pError} BAD_MESSAGE: a transaction was not requested, or occurs twice.
   * PARSE_MESSAGE_FAILED: a transaction has no contract or an unknown type; the transactions after it are ignored.
   * BAD_TRX, since 4.8.2: a transaction has no contract, or a signature of invalid size.
   */
  take(peer: Peer, transactions: readonly DecodedTransaction[]): void {
    const { release } = this.options;
    if (release.checksLists) checkList(peer, transactions, release);
    for (const { idHex } of transactions) {
      if (!peer.itemRequests.delete(idHex)) throw new P2pError('BAD_MESSAGE', `trx: ${idHex} without request.`);
    }
    try {
      for (const transaction of transactions) this.sort({ peer, transaction });
    } finally {
      this.schedule();
    }
  }

  private sort(arrival: Arrival): void {
    const { contractType, raw } = arrival.transaction;
    // Text of the exception that Java throws when java-tron reads the first element of the empty list of contracts.
    if (raw.contract.length === 0) throw new P2pError('PARSE_MESSAGE_FAILED', 'Index: 0');
    if (!CONTRACT_TYPES.has(contractType))
      throw new P2pError('PARSE_MESSAGE_FAILED', `unknown contract type ${contractType}`);
    const isCall = isSmartContract(contractType);
    if (isCall && this.calls.length >= this.options.release.limits.transactionsMax) return;
    if (this.queuedBytes > QUEUED_BYTES_MAX) return;
    this.queuedBytes += arrival.transaction.bytes.length;
    (isCall ? this.calls : this.others).push(arrival);
  }

  private schedule(): void {
    if (this.isScheduled || this.isClosed || this.calls.length + this.others.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => this.options.waitClock.during(() => this.slice()));
  }

  private slice(): void {
    this.isScheduled = false;
    if (this.isClosed) return;
    const started = performance.now();
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.queuedBytes -= next.transaction.bytes.length;
      this.handle(next);
      if (performance.now() - started > SLICE_MS) break;
    }
    this.schedule();
  }

  private next(): Arrival | undefined {
    if (this.others.length < OTHERS_FIRST && this.calls.length > 0 && this.turn()) return this.calls.shift();
    return this.others.shift() ?? this.calls.shift();
  }

  /** Alternates between contract calls and other transactions. @returns true if the next one is a contract call */
  private turn(): boolean {
    this.isCallsTurn = !this.isCallsTurn;
    return this.isCallsTurn;
  }

  private handle({ peer, transaction }: Arrival): void {
    const { chain, release, advertiser, observer, log } = this.options;
    const { idHex: id } = transaction;
    if (release.acceptsOfDisconnected ? peer.isBad : peer.isClosed) return;
    if (advertiser.content({ kind: 'transaction', id }) !== undefined) return;
    try {
      advertiser.announceTransaction(id, chain.addTransaction(transaction).bytes);
    } catch (error) {
      if (!(error instanceof P2pError)) {
        log.error({ err: error, id }, 'unexpected error in the check of a received transaction');
        return;
      }
      observer.refused(error.code, false);
      log.debug({ peer: peer.channel.key, id, type: error.code, reason: error.message }, 'transaction rejected');
      if (error.code !== 'BAD_TRX') return;
      peer.isBad = true;
      peer.disconnect('BAD_TX');
    }
  }
}

/**
 * Checks all transactions of a message before any of them is queued. Reference: TransactionsMsgHandler.check.
 * @throws {P2pError} BAD_MESSAGE: when a transaction was not requested, or occurs twice
 * @throws {P2pError} BAD_TRX: when a transaction has no contract, or a signature of an invalid size
 */
function checkList(
  peer: Peer,
  transactions: readonly DecodedTransaction[],
  { checksSignatureSizes }: PeerRelease,
): void {
  const seen = new Set<string>();
  for (const { idHex: id, raw, message } of transactions) {
    if (seen.has(id)) throw new P2pError('BAD_MESSAGE', `trx: ${id} comes twice.`);
    seen.add(id);
    if (!peer.itemRequests.has(id)) throw new P2pError('BAD_MESSAGE', `trx: ${id} without request.`);
    if (raw.contract.length === 0) throw new P2pError('BAD_TRX', `trx: ${id} has no contract.`);
    const wrong = message.signature.find(({ length }) => !isSignatureSize(length));
    if (checksSignatureSizes && wrong !== undefined)
      throw new P2pError('BAD_TRX', `trx: ${id} has a signature of ${wrong.length} bytes.`);
  }
}
