import type { Chain } from '../../chain/chain.js';
import type { ChainListener } from '../../chain/chain-listener.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import type { LocalChain } from '../../p2p/local-chain.js';
import { rejectReasonIn } from '../../p2p/p2p-error.js';
import type { BlockId } from '../../p2p/wire/block-id.js';
import { toAddress } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { lowestBlock } from '../../projections/ledger/lowest-block.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';
import { ChainError } from '../../state-transition/errors.js';
import type { Release } from '../../state-transition/releases/release.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import { recoverSigner } from '../../state-transition/transactions/recover-signer.js';
import { Voters } from './voters.js';

export interface ChainFactsOptions {
  readonly chain: Chain;
  /** Number of unsolidified blocks at which the node starts to reject transactions; undefined for no limit. */
  readonly unsolidifiedMax?: number | undefined;
  readonly now: () => number;
}

type ChainOperations = 'checkHeader' | 'importBlock' | 'addTransaction' | 'prefetchSignatures' | 'flush';

/** Read access of the peer-to-peer module to the node's chain. */
export class ChainFacts implements Omit<LocalChain, ChainOperations> {
  readonly genesis: BlockId;
  readonly rules: Release;
  readonly slotMs: number;
  private readonly facts: ChainFactsOptions;
  private readonly voters: Voters;
  private readonly listener: ChainListener = { applied: () => this.noteSaved() };
  /** Time when the last block was applied, in ms of the machine's clock. All times about peers use this clock. */
  private lastSavedMs = Date.now();

  constructor(options: ChainFactsOptions) {
    this.facts = options;
    const { release, slotMs } = options.chain.state.rules;
    this.rules = release;
    this.slotMs = slotMs;
    options.chain.listeners.add(this.listener);
    this.genesis = present(this.idAt(0), 'every chain has a genesis');
    this.voters = new Voters(options.chain);
  }

  close(): void {
    this.voters.close();
    this.facts.chain.listeners.delete(this.listener);
  }

  get head(): BlockId {
    const { headNumber, headId } = this.facts.chain.ledger.position;
    return { hex: toHex(headId), number: headNumber };
  }

  get branchHead(): BlockId {
    const { idHex, number } = this.facts.chain.recent.head;
    return { hex: idHex, number };
  }

  get solidified(): BlockId {
    return this.idAt(this.facts.chain.solidifiedNumber) ?? this.genesis;
  }

  get solidifiedTimeMs(): number {
    const { hex, number } = this.solidified;
    const { recent } = this.facts.chain;
    return (recent.get(hex) ?? this.facts.chain.storedBlock(number)).timeMs;
  }

  /**
   * True if the number of unsolidified blocks reaches the limit. The node then rejects transactions. Reference:
   * TronNetDelegate.isBlockUnsolidified.
   */
  get isUnsolidified(): boolean {
    const { chain, unsolidifiedMax } = this.facts;
    return chain.ledger.position.headNumber - chain.solidifiedNumber >= (unsolidifiedMax ?? Number.POSITIVE_INFINITY);
  }

  get lowestNumber(): number {
    return lowestBlock(this.facts.chain.ledger);
  }

  get savedMs(): number {
    return this.lastSavedMs;
  }

  get pendingTransactions(): number {
    const { pending, repush } = this.facts.chain.mempool;
    return pending.size + repush.size;
  }

  get usesVotes(): boolean {
    return this.facts.chain.state.properties.isOn('ALLOW_PBFT');
  }

  get maintenance(): LocalChain['maintenance'] {
    const { properties } = this.facts.chain.state;
    const intervalMs = properties.get('MAINTENANCE_TIME_INTERVAL');
    return { nextMs: properties.get('NEXT_MAINTENANCE_TIME'), intervalMs };
  }

  get lowestRevertible(): number {
    const { snapshots, ledger } = this.facts.chain;
    return Math.max(0, ledger.position.headNumber - snapshots.size);
  }

  idAt(number: number): BlockId | undefined {
    const id = this.facts.chain.ledger.blockIdAt(number);
    return id && { hex: toHex(id), number };
  }

  isCanonical({ hex }: BlockId): boolean {
    return this.facts.chain.ledger.numberOf(fromHex(hex)) !== undefined;
  }

  isKnown({ hex }: BlockId): boolean {
    return isKnown(this.facts.chain, hex);
  }

  branchOf({ hex }: BlockId): readonly BlockId[] {
    const branch = this.branchTo(hex);
    const oldest = branch.at(-1);
    if (oldest === undefined) return [];
    const ids = branch.map(({ idHex, number }) => ({ hex: idHex, number }));
    return [...ids, { hex: oldest.parentIdHex, number: oldest.number - 1 }];
  }

  /**
   * Returns the blocks from `hex` down to the common ancestor of its branch and the head's branch, newest first.
   * Excludes the ancestor.
   * @throws {P2pError} HARD_FORKED: the recent blocks contain no common ancestor
   */
  private branchTo(hex: string): readonly EncodedBlock[] {
    const { recent, ledger } = this.facts.chain;
    try {
      return recent.branches(hex, toHex(ledger.position.headId))[0];
    } catch (error) {
      throw rejectReasonIn(error, 'HARD_FORKED') ?? error;
    }
  }

  block(id: BlockId): Uint8Array | undefined {
    const { recent, ledger } = this.facts.chain;
    return recent.get(id.hex)?.bytes ?? (this.isCanonical(id) ? ledger.block(id.number)?.block : undefined);
  }

  activeWitnesses(): readonly string[] {
    return activeWitnesses(this.facts.chain.state);
  }

  votersOf(epochMs: bigint): readonly string[] {
    return this.voters.of(epochMs);
  }

  signerOf(hash: Uint8Array, signature: Uint8Array): string {
    if (signature.length < SIGNATURE_BYTES) throw new ChainError('SignatureException', 'Could not decode base64');
    return toHex(recoverSigner(hash, signature, this.facts.chain.state.rules.addressPrefix));
  }

  isSignedByWitness(addressHex: string, hash: Uint8Array, signature: Uint8Array): boolean {
    const { state } = this.facts.chain;
    const signer = this.signerOf(hash, signature);
    if (!state.properties.isOn('ALLOW_MULTI_SIGN')) return signer === addressHex;
    const account = state.account(toAddress(fromHex(addressHex)));
    return account !== undefined && signer === toHex(witnessKeyAddress(account));
  }

  transaction(idHex: string): Uint8Array | undefined {
    const { ledger } = this.facts.chain;
    const position = ledger.transactionAt(fromHex(idHex));
    const stored = position && ledger.block(position.number);
    return stored && decodeBlock(stored.block).transactions[position.index]?.bytes;
  }

  get isFiltered(): boolean {
    return this.facts.chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
  }

  get nowMs(): number {
    return this.facts.now();
  }

  private noteSaved(): void {
    this.lastSavedMs = Date.now();
  }
}

/** Returns true if a block is canonical, or is one of the recent blocks of any branch. */
export function isKnown({ recent, ledger }: Chain, idHex: string): boolean {
  return recent.get(idHex) !== undefined || ledger.numberOf(fromHex(idHex)) !== undefined;
}
