import type { Logger } from 'pino';
import { toAddress } from '../../domain/address.js';
import { present } from '../../domain/assert.js';
import { fromHex, toHex } from '../../domain/bytes.js';
import { SIGNATURE_BYTES } from '../../domain/secp256k1.js';
import type { Judgement, LocalChain, Pushed } from '../../p2p/local-chain.js';
import type { P2pError } from '../../p2p/p2p-error.js';
import type { PeerObserver } from '../../p2p/peer-observer.js';
import { refusalIn } from '../../p2p/receive/peer-words.js';
import type { BlockId } from '../../p2p/wire/block-id.js';
import { type DecodedBlock, decodeBlock } from '../../vm/block/decoded-block.js';
import type { EncodedBlock } from '../../vm/block/encoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { ChainError } from '../../vm/errors.js';
import { witnessKeyAddress } from '../../vm/permissions.js';
import type { Release } from '../../vm/releases/release.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import { recoverSigner } from '../../vm/transactions/recover-signer.js';
import type { FindSigner } from '../../vm/transactions/validate-signature.js';
import type { Chain, ChainListener } from '../chain/chain.js';
import { isKnown, judgeBlock, offerReceived, pushReceived } from '../chain/received.js';
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
  readonly rules: Release;
  private readonly options: LedgerChainOptions;
  /** By the bytes of blocks, which are the same before and after they are taken apart. */
  private readonly signers = new WeakMap<Uint8Array, FindSigner>();
  private readonly voters: Voters;
  private readonly listener: ChainListener = { applied: () => this.noteSaved() };
  /** By the machine's clock, as all times of peers. */
  private lastSavedMs = Date.now();
  private hasReached = false;

  constructor(options: LedgerChainOptions) {
    this.options = options;
    this.rules = options.chain.state.rules.release;
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
    const branch = this.branchTo(hex);
    const oldest = branch.at(-1);
    if (oldest === undefined) return [];
    const ids = branch.map(({ idHex, number }) => ({ hex: idHex, number }));
    return [...ids, { hex: oldest.parentIdHex, number: oldest.number - 1 }];
  }

  /** @throws {P2pError} HARD_FORKED */
  private branchTo(hex: string): readonly EncodedBlock[] {
    const { recent, ledger } = this.options.chain;
    try {
      return recent.branches(hex, toHex(ledger.position.headId))[0];
    } catch (error) {
      throw refusalIn(error, 'HARD_FORKED') ?? error;
    }
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
    return stored && decodeBlock(stored.block).transactions[place.index]?.bytes;
  }

  get isFiltered(): boolean {
    return this.options.chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
  }

  get nowMs(): number {
    return this.options.now();
  }

  judge(block: EncodedBlock): Judgement {
    return judgeBlock(this.options.chain, block);
  }

  push(block: DecodedBlock, as: 'synced' | 'announced'): Pushed {
    if (this.isBehindTarget(block)) return { kind: 'stopped' };
    if (as === 'announced') this.prepare(block);
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

  offer(transaction: DecodedTransaction): void {
    try {
      offerReceived(this.options.chain, transaction);
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

  private noteSaved(): void {
    this.lastSavedMs = Date.now();
  }

  /**
   * Told of a block's begin; one that came before does not count. @returns to be told of its end, and of why it is refused
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
