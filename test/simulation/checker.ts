import type { Chain } from '../../src/chain/chain.js';
import { Block, TransactionRaw } from '../../src/codec/generated/messages.js';
import { keccak256, sha256 } from '../../src/crypto/hash.js';
import { secp256k1 } from '../../src/crypto/secp256k1.js';
import { equalBytes, fromHex, toHex } from '../../src/primitives/bytes.js';
import { type DecodedBlock, merkleRoot } from '../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../src/state-transition/block/encoded-block.js';
import { SLOT_MS } from '../../src/state-transition/consensus/schedule.js';
import { SimFailure } from './sim-failure.js';
import type { SimNode } from './sim-node.js';

/** Number of slots after a maintenance in which no block is produced. */
const SKIPPED_SLOTS = 2;
/** Maximum time in ms by which a block may be ahead of the clock of the node that accepts it. */
const AHEAD_MS = 3000;
/** Maximum depth below the solidified block, in heights, at which a node still caches branches. */
const CACHED_BELOW = 4;

/** Observed facts of one node since its first start. */
interface Observed {
  /** Height of the newest block that the node has reported as solidified. */
  solidified: number;
  /**
   * Solidified height before the newest block was applied. Except during a reorg, the newest block deletes cached
   * branches below this height.
   */
  before: number;
  /** Number of canonical blocks that contain a transaction, by transaction id. */
  readonly paid: Map<string, number>;
}

export interface CheckerOptions {
  readonly genesisMs: number;
  /** Addresses of the witnesses in the order of their slots, 21 bytes each. */
  readonly witnesses: readonly Uint8Array[];
  readonly log: (line: string) => void;
}

/**
 * Checks all honest nodes with a second implementation of the rules. It determines the producer of a block by the order
 * in genesis, and computes the solidified height from the headers.
 */
export class Checker {
  private readonly options: CheckerOptions;
  private readonly digests = new Map<string, string>();
  private readonly solidifiedIds = new Map<number, string>();
  /** Ids of the blocks with a maintenance. */
  private readonly maintained = new Set<string>();
  private readonly observed = new Map<number, Observed>();
  failure: SimFailure | undefined;
  reorgs = 0;
  blocks = 0;

  constructor(options: CheckerOptions) {
    this.options = options;
  }

  /** Observes a node after its start. The disk of the node may already contain blocks. */
  watch(node: SimNode, chain: Chain): void {
    const { log } = this.options;
    const observed = this.observed.get(node.at) ?? { solidified: 0, before: 0, paid: new Map() };
    this.observed.set(node.at, observed);
    observed.paid.clear();
    for (let number = 1; number <= chain.ledger.position.headNumber; number++)
      count(observed, chain.storedBlock(number), 1);
    const say = (what: string, { number, idHex }: DecodedBlock): void =>
      log(`node ${node.at} ${what} ${number} ${idHex.slice(16, 24)}`);
    let left = '';
    chain.listeners.add({
      applied: (block) => {
        say(chain.isReorging ? 'reorgs to' : 'applies', block);
        this.attempt(node, () => {
          count(observed, block, 1);
          this.checkBlock(chain, block);
          this.checkState(chain, block, observed);
        });
      },
      reverted: (block) => {
        say('reverts', block);
        count(observed, block, -1);
        if (block.number > observed.solidified) return;
        this.fail(node, 'a block is reverted after it was emitted as solidified', `block ${block.number}`);
      },
      forked: (hasFailed) => {
        if (!hasFailed) {
          this.reorgs++;
          left = toHex(chain.ledger.position.headId);
          return;
        }
        log(`node ${node.at} returns to its branch`);
        const head = toHex(chain.ledger.position.headId);
        if (head !== left)
          this.fail(node, 'the old head is not restored after a failed branch', `${head}, not ${left}`);
      },
      outdated: (reason) => this.fail(node, 'a node stops because its release is outdated', reason),
    });
  }

  /**
   * Records a failure. Only the first one is kept.
   * @param kind identifier of the kind of failure; a shrunk simulation must fail with the same kind
   */
  fail(node: SimNode | undefined, kind: string, details: string): void {
    if (this.failure !== undefined) return;
    this.options.log(`FAILURE ${node === undefined ? '' : `at node ${node.at}: `}${kind}: ${details}`);
    this.failure = new SimFailure(kind, details);
  }

  private attempt(node: SimNode, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof SimFailure)) throw error;
      this.fail(node, error.kind, error.details);
    }
  }

  private checkBlock(chain: Chain, block: DecodedBlock): void {
    this.blocks++;
    const { genesisMs, witnesses } = this.options;
    const what = `block ${block.number} ${block.idHex}`;
    const signature = block.message.blockHeader!.witnessSignature;
    if (!isSignedBy(headerHash(block.raw), signature, block.raw.witnessAddress))
      throw new SimFailure('a block without the signature of its witness is accepted', what);
    const skipped = this.maintained.has(block.parentIdHex) ? SKIPPED_SLOTS : 0;
    if (chain.state.properties.get('state_flag') === 1n) this.maintained.add(block.idHex);
    const slot = Math.floor((block.timeMs - genesisMs) / SLOT_MS) - skipped;
    const owner = witnesses[slot % witnesses.length]!;
    if (!equalBytes(owner, block.raw.witnessAddress))
      throw new SimFailure('a block in the slot of another witness is accepted', what);
    const parent = chain.storedBlock(block.number - 1);
    if (toHex(parent.id) !== block.parentIdHex)
      throw new SimFailure('a block is applied on another parent than its own', what);
    if (block.timeMs <= parent.timeMs)
      throw new SimFailure('a block that is not later than its parent is accepted', what);
    if (block.timeMs > Date.now() + AHEAD_MS) throw new SimFailure('a block from the future is accepted', what);
    const { transactions } = Block.decode(block.bytes);
    if (!equalBytes(merkleRoot(transactions), block.raw.txTrieRoot))
      throw new SimFailure('a block with a wrong Merkle root is accepted', what);
    for (const { message, owner: payer } of block.transactions) {
      const hash = sha256(TransactionRaw.encode(message.rawData!));
      if (message.signature.length !== 1 || !isSignedBy(hash, message.signature[0]!, fromHex(payer)))
        throw new SimFailure('a payment without the signature of its payer is accepted', what);
    }
  }

  private checkState(chain: Chain, block: DecodedBlock, observed: Observed): void {
    const { position } = chain.ledger;
    const what = `block ${block.number} ${block.idHex}`;
    const digest = toHex(position.digest);
    const before = this.digests.get(block.idHex);
    if (before !== undefined && before !== digest) throw new SimFailure('one block leads to two states', what);
    this.digests.set(block.idHex, digest);
    for (const { idHex } of block.transactions)
      if (observed.paid.get(idHex) !== 1) throw new SimFailure('a payment is in the chain twice', `${what}: ${idHex}`);
    const counted = this.solidifiedIn(chain);
    if (chain.solidifiedNumber !== counted)
      throw new SimFailure('wrong solidified height', `${chain.solidifiedNumber}, not ${counted}, after ${what}`);
    if (chain.recent.lowest < Math.min(observed.before, chain.solidifiedNumber) - CACHED_BELOW)
      throw new SimFailure('old branches stay cached', `from ${chain.recent.lowest} on, after ${what}`);
    if (!chain.isReorging) observed.before = chain.solidifiedNumber;
    for (let number = observed.solidified + 1; number <= position.solidifiedNumber; number++) {
      const id = toHex(chain.ledger.blockIdAt(number)!);
      const other = this.solidifiedIds.get(number);
      if (other !== undefined && other !== id)
        throw new SimFailure('two solidified blocks at one height', `${number}: ${other} and ${id}`);
      this.solidifiedIds.set(number, id);
    }
    observed.solidified = Math.max(observed.solidified, position.solidifiedNumber);
  }

  /** Returns the height of the highest block on which at least 70 % of the witnesses have built. */
  private solidifiedIn(chain: Chain): number {
    const { witnesses } = this.options;
    const latest = new Map<string, number>();
    for (let number = chain.ledger.position.headNumber; number > 0 && latest.size < witnesses.length; number--) {
      const witness = toHex(chain.storedBlock(number).raw.witnessAddress);
      if (!latest.has(witness)) latest.set(witness, number);
    }
    const numbers = witnesses.map((address) => latest.get(toHex(address)) ?? 0).sort((a, b) => a - b);
    return numbers[Math.floor(witnesses.length * 0.3)]!;
  }
}

function count({ paid }: Observed, block: DecodedBlock, by: number): void {
  for (const { idHex } of block.transactions) paid.set(idHex, (paid.get(idHex) ?? 0) + by);
}

function isSignedBy(hash: Uint8Array, signature: Uint8Array, address: Uint8Array): boolean {
  if (signature.length !== 65) return false;
  try {
    const key = secp256k1.recover(signature.subarray(0, 64), signature[64]! % 27, hash);
    return equalBytes(keccak256(key.subarray(1)).subarray(12), address.subarray(1));
  } catch {
    return false;
  }
}
