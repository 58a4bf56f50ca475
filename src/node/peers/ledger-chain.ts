import type { Logger } from 'pino';
import { Transaction } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { toAddress } from '../../domain/address.js';
import { present } from '../../domain/assert.js';
import { fromHex, toHex } from '../../domain/bytes.js';
import { SIGNATURE_BYTES } from '../../domain/secp256k1.js';
import type { AnnouncedOutcome, LocalChain } from '../../p2p/local-chain.js';
import { P2pError, type Refusal } from '../../p2p/p2p-error.js';
import type { PeerObserver } from '../../p2p/peer-observer.js';
import type { BlockId } from '../../p2p/wire/block-id.js';
import { type DecodedBlock, decodeBlock } from '../../vm/block/decoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { ChainError } from '../../vm/errors.js';
import { witnessKeyAddress } from '../../vm/permissions.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import { recoverSigner } from '../../vm/transactions/recover-signer.js';
import type { FindSigner } from '../../vm/transactions/validate-signature.js';
import type { Chain, ChainListener } from '../chain/chain.js';
import {
  checkBlockMessage,
  isBroadcastFirst,
  isKnown,
  keptOf,
  PeerMessageError,
  readBlockMessage,
  readTransactionsMessage,
  receiveAnnounced,
  receiveSynced,
  receiveTransaction,
  type Stage,
} from '../chain/peer-messages.js';
import type { StopTarget } from '../stop-target.js';
import type { SignaturePool } from '../threads/signatures/signature-pool.js';
import { lowestBlock } from './lowest-block.js';
import { Voters } from './voters.js';

interface LedgerChainOptions {
  readonly chain: Chain;
  readonly signatures: SignaturePool;
  readonly target: StopTarget;
  /** The next block lies behind the target: nothing more is taken. */
  readonly targetReached: () => void;
  /** A block of a peer is about to be executed. */
  readonly blockCame: (block: DecodedBlock) => void;
  readonly observer: PeerObserver;
  /** Blocks that wait for solidification from which on no transactions are taken; undefined: any number. */
  readonly unsolidifiedMax?: number | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** The node's chain as the side of the peers sees it. */
export class LedgerChain implements LocalChain {
  readonly genesis: BlockId;
  private readonly options: LedgerChainOptions;
  private readonly signers = new WeakMap<DecodedBlock, FindSigner>();
  private readonly voters: Voters;
  private readonly listener: ChainListener = { applied: () => this.noteSaved() };
  /** By the machine's clock, as all times of peers. */
  private lastSavedMs = Date.now();
  private hasReached = false;

  constructor(options: LedgerChainOptions) {
    this.options = options;
    options.chain.listeners.add(this.listener);
    this.genesis = present(this.idAt(0), 'every chain has a genesis');
    this.voters = new Voters(options.chain);
  }

  close(): void {
    this.voters.close();
    this.options.chain.listeners.delete(this.listener);
  }

  get head(): BlockId {
    const { headNumber, headId } = this.options.chain.ledger.position;
    return { hex: toHex(headId), number: headNumber };
  }

  get branchHead(): BlockId {
    const { idHex, number } = this.options.chain.recent.head;
    return { hex: idHex, number };
  }

  get solidified(): BlockId {
    return this.idAt(this.options.chain.solidifiedNumber) ?? this.genesis;
  }

  get solidifiedTimeMs(): number {
    const { hex, number } = this.solidified;
    const { recent } = this.options.chain;
    return (recent.get(hex) ?? this.options.chain.storedBlock(number)).timeMs;
  }

  /** Reference: TronNetDelegate.isBlockUnsolidified. */
  get isUnsolidified(): boolean {
    const { chain, unsolidifiedMax } = this.options;
    return chain.ledger.position.headNumber - chain.solidifiedNumber >= (unsolidifiedMax ?? Number.POSITIVE_INFINITY);
  }

  get lowestNumber(): number {
    return lowestBlock(this.options.chain.ledger);
  }

  get savedMs(): number {
    return this.lastSavedMs;
  }

  get waitingTransactions(): number {
    const { pending, repush } = this.options.chain.pool;
    return pending.size + repush.size;
  }

  get usesVotes(): boolean {
    return this.options.chain.state.properties.isOn('ALLOW_PBFT');
  }

  get maintenance(): LocalChain['maintenance'] {
    const { properties } = this.options.chain.state;
    const intervalMs = properties.get('MAINTENANCE_TIME_INTERVAL');
    return { nextMs: properties.get('NEXT_MAINTENANCE_TIME'), intervalMs };
  }

  /** The reference holds as many states as there are blocks above the solidified one, and one more. */
  get lowestUndoable(): number {
    return Math.max(0, this.options.chain.solidifiedNumber - 1);
  }

  idAt(number: number): BlockId | undefined {
    const id = this.options.chain.ledger.blockIdAt(number);
    return id && { hex: toHex(id), number };
  }

  isCanonical({ hex }: BlockId): boolean {
    return this.options.chain.ledger.numberOf(fromHex(hex)) !== undefined;
  }

  isKnown(id: BlockId): boolean {
    return isKnown(this.options.chain, id.hex);
  }

  branchOf({ hex }: BlockId): readonly BlockId[] {
    const { recent, ledger } = this.options.chain;
    const [branch] = refusing('HARD_FORKED', () => recent.branches(hex, toHex(ledger.position.headId)));
    const oldest = branch.at(-1);
    if (oldest === undefined) return [];
    const ids = branch.map(({ idHex, number }) => ({ hex: idHex, number }));
    return [...ids, { hex: oldest.parentIdHex, number: oldest.number - 1 }];
  }

  block(id: BlockId): Uint8Array | undefined {
    const { recent, ledger } = this.options.chain;
    return recent.get(id.hex)?.bytes ?? (this.isCanonical(id) ? ledger.block(id.number)?.block : undefined);
  }

  activeWitnesses(): readonly string[] {
    return activeWitnesses(this.options.chain.state);
  }

  votersOf(epochMs: bigint): readonly string[] {
    return this.voters.of(epochMs);
  }

  signerOf(hash: Uint8Array, signature: Uint8Array): string {
    if (signature.length < SIGNATURE_BYTES) throw new ChainError('SignatureException', 'Could not decode base64');
    return toHex(recoverSigner(hash, signature, this.options.chain.state.rules.addressPrefix));
  }

  isSignedByWitness(addressHex: string, hash: Uint8Array, signature: Uint8Array): boolean {
    const { state } = this.options.chain;
    const signer = this.signerOf(hash, signature);
    if (!state.properties.isOn('ALLOW_MULTI_SIGN')) return signer === addressHex;
    const account = state.account(toAddress(fromHex(addressHex)));
    return account !== undefined && signer === toHex(witnessKeyAddress(account));
  }

  transaction(idHex: string): Uint8Array | undefined {
    const { ledger } = this.options.chain;
    const place = ledger.transactionAt(fromHex(idHex));
    const stored = place && ledger.block(place.number);
    const found = stored && decodeBlock(stored.block).transactions[place.index];
    return found && Transaction.encode(found.message);
  }

  readBlock(bytes: Uint8Array): DecodedBlock {
    return refusing('PARSE_MESSAGE_FAILED', () => readBlockMessage(bytes, this.isFiltered));
  }

  readTransactions(bytes: Uint8Array): readonly DecodedTransaction[] {
    return refusing('PARSE_MESSAGE_FAILED', () => readTransactionsMessage(bytes, this.isFiltered));
  }

  checkBlock(block: DecodedBlock): void {
    refusing('BAD_MESSAGE', () => checkBlockMessage(block, this.options.now()));
  }

  keptOf(block: DecodedBlock): DecodedBlock {
    return keptOf(this.options.chain, block);
  }

  prepare(block: DecodedBlock): void {
    if (block.transactions.length > 0) this.signers.set(block, this.options.signatures.prepare(block));
  }

  takeSynced(block: DecodedBlock): void {
    if (this.isBehindTarget(block)) return;
    const done = this.timed(block, true);
    try {
      refusing('BAD_BLOCK', () => receiveSynced(this.options.chain, block, this.pushOptions(block)));
      done();
    } catch (error) {
      done(error);
      throw error;
    }
  }

  takeAnnounced(block: DecodedBlock, announce: () => void): AnnouncedOutcome {
    const { chain, observer, now, log } = this.options;
    if (this.isBehindTarget(block)) return 'failed';
    this.prepare(block);
    let stage: Stage = 'check';
    let isAnnounced = false;
    let done: ReturnType<LedgerChain['timed']> = () => undefined;
    const at = (next: Stage): void => {
      stage = next;
      if (next === 'push') done = this.timed(block, false);
      isAnnounced = next === 'push' && isBroadcastFirst(chain, block);
      if (isAnnounced) announce();
    };
    try {
      const outcome = refusing('PARSE_MESSAGE_FAILED', () =>
        receiveAnnounced(chain, block, now(), at, this.pushOptions(block)),
      );
      if (outcome.result === 'dropped') return outcome.stage;
      done();
      if (!isAnnounced) announce();
      this.settle();
      return this.head.hex === block.idHex ? 'applied' : 'side';
    } catch (error) {
      done(error);
      if (!(error instanceof P2pError) || (stage as Stage) !== 'push') throw error;
      observer.refused(error.code, false);
      log.warn({ num: block.number, hash: block.idHex, reason: error.message }, 'an announced block is refused');
      this.settle();
      return 'failed';
    }
  }

  takeTransaction(transaction: DecodedTransaction): void {
    refusing('TRX_EXE_FAILED', () => receiveTransaction(this.options.chain, transaction));
  }

  settle(): void {
    const { chain, log } = this.options;
    chain.ledger.flush().catch((error: unknown) => log.error({ err: error }, 'blocks of peers could not be stored'));
    chain.pool.offerAgain();
  }

  private noteSaved(): void {
    this.lastSavedMs = Date.now();
  }

  /**
   * Told of a block's begin; one that came before does not count. @returns to be told of its end, with the error that was thrown
   */
  private timed(block: DecodedBlock, isSynced: boolean): (error?: unknown) => void {
    const { observer } = this.options;
    if (this.isKnown({ hex: block.idHex, number: block.number })) return () => undefined;
    this.options.blockCame(block);
    const started = performance.now();
    if (!isSynced) observer.blockArrives(block);
    return (error) => {
      if (error === undefined) observer.blockTaken((performance.now() - started) / 1000, isSynced);
      else if (error instanceof P2pError) observer.blockFailed(block.number, error.message);
    };
  }

  private get isFiltered(): boolean {
    return this.options.chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
  }

  private pushOptions(block: DecodedBlock): { readonly findSigner?: FindSigner } {
    const findSigner = this.signers.get(block);
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

/** What the rules refuse, in the words of the side of the peers. @throws {P2pError} */
function refusing<T>(otherwise: Refusal, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PeerMessageError) throw new P2pError(error.type as Refusal, error.message, { cause: error }); // its types are those of Refusal
    if (error instanceof ChainError || error instanceof ProtobufError)
      throw new P2pError(otherwise, error.message, { cause: error });
    throw error;
  }
}
