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

/** Empty slots after a maintenance. */
const SKIPPED_SLOTS = 2;
/** ms that a block may be ahead of the clock of who takes it. */
const AHEAD_MS = 3000;
/** Blocks below the solidified one that may still be remembered as a branch. */
const REMEMBERED_BELOW = 4;

/** Observations of one node since its first start. */
interface Shown {
  /** Height up to which blocks were emitted as solidified. */
  solidified: number;
  /**
   * The height of the rules before the newest block came; what lies below is forgotten with it, and not while blocks of
   * a branch join.
   */
  before: number;
  /** Blocks of the canonical chain that hold a transaction. */
  readonly paid: Map<string, number>;
}

export interface JudgeOptions {
  readonly genesisMs: number;
  /** 21 bytes each, in the order of their slots. */
  readonly witnesses: readonly Uint8Array[];
  readonly log: (line: string) => void;
}

/**
 * Checks all honest nodes with a second implementation of the rules. The producer of a block is looked up in the order
 * of genesis, and the solidified height is computed from the headers.
 */
export class Judge {
  private readonly options: JudgeOptions;
  private readonly digests = new Map<string, string>();
  private readonly irreversible = new Map<number, string>();
  /** Blocks with a maintenance. */
  private readonly maintained = new Set<string>();
  private readonly shown = new Map<number, Shown>();
  failure: SimFailure | undefined;
  switches = 0;
  blocks = 0;

  constructor(options: JudgeOptions) {
    this.options = options;
  }

  /** A node begins, with what it had on its disk. */
  watch(node: SimNode, chain: Chain): void {
    const { log } = this.options;
    const shown = this.shown.get(node.at) ?? { solidified: 0, before: 0, paid: new Map() };
    this.shown.set(node.at, shown);
    shown.paid.clear();
    for (let number = 1; number <= chain.ledger.position.headNumber; number++)
      count(shown, chain.storedBlock(number), 1);
    const say = (what: string, { number, idHex }: DecodedBlock): void =>
      log(`node ${node.at} ${what} ${number} ${idHex.slice(16, 24)}`);
    let left = '';
    chain.listeners.add({
      applied: (block) => {
        say(chain.isReorging ? 'switches to' : 'takes', block);
        this.attempt(node, () => {
          count(shown, block, 1);
          this.checkBlock(chain, block);
          this.checkState(chain, block, shown);
        });
      },
      reverted: (block) => {
        say('takes back', block);
        count(shown, block, -1);
        if (block.number > shown.solidified) return;
        this.fail(node, 'a block that was told as irreversible is taken back', `block ${block.number}`);
      },
      forked: (hasFailed) => {
        if (!hasFailed) {
          this.switches++;
          left = toHex(chain.ledger.position.headId);
          return;
        }
        log(`node ${node.at} goes back to its branch`);
        const head = toHex(chain.ledger.position.headId);
        if (head !== left) this.fail(node, 'a branch that failed is not left', `${head}, not ${left}`);
      },
      outdated: (reason) => this.fail(node, 'a node must stop', reason),
    });
  }

  /** @param kind what it is called when it is looked for again in a smaller simulation */
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
      throw new SimFailure('a block is taken that its witness did not sign', what);
    const skipped = this.maintained.has(block.parentIdHex) ? SKIPPED_SLOTS : 0;
    if (chain.state.properties.get('state_flag') === 1n) this.maintained.add(block.idHex);
    const slot = Math.floor((block.timeMs - genesisMs) / SLOT_MS) - skipped;
    const owner = witnesses[slot % witnesses.length]!;
    if (!equalBytes(owner, block.raw.witnessAddress))
      throw new SimFailure('a block is taken of a slot of another', what);
    const parent = chain.storedBlock(block.number - 1);
    if (toHex(parent.id) !== block.parentIdHex) throw new SimFailure('a block is taken on another parent', what);
    if (block.timeMs <= parent.timeMs) throw new SimFailure('a block is taken that is not later than its parent', what);
    if (block.timeMs > Date.now() + AHEAD_MS) throw new SimFailure('a block is taken from the future', what);
    const { transactions } = Block.decode(block.bytes);
    if (!equalBytes(merkleRoot(transactions), block.raw.txTrieRoot))
      throw new SimFailure('a block is taken with another root', what);
    for (const { message, owner: payer } of block.transactions) {
      const hash = sha256(TransactionRaw.encode(message.rawData!));
      if (message.signature.length !== 1 || !isSignedBy(hash, message.signature[0]!, fromHex(payer)))
        throw new SimFailure('a payment is taken that its payer did not sign', what);
    }
  }

  private checkState(chain: Chain, block: DecodedBlock, shown: Shown): void {
    const { position } = chain.ledger;
    const what = `block ${block.number} ${block.idHex}`;
    const digest = toHex(position.digest);
    const before = this.digests.get(block.idHex);
    if (before !== undefined && before !== digest) throw new SimFailure('two states after one block', what);
    this.digests.set(block.idHex, digest);
    for (const { idHex } of block.transactions)
      if (shown.paid.get(idHex) !== 1) throw new SimFailure('a payment is in the chain twice', `${what}: ${idHex}`);
    const counted = this.irreversibleIn(chain);
    if (chain.solidifiedNumber !== counted)
      throw new SimFailure(
        'too much or too little is irreversible',
        `${chain.solidifiedNumber}, not ${counted}, after ${what}`,
      );
    if (chain.recent.lowest < Math.min(shown.before, chain.solidifiedNumber) - REMEMBERED_BELOW)
      throw new SimFailure('branches are remembered without end', `from ${chain.recent.lowest} on, after ${what}`);
    if (!chain.isReorging) shown.before = chain.solidifiedNumber;
    for (let number = shown.solidified + 1; number <= position.solidifiedNumber; number++) {
      const id = toHex(chain.ledger.blockIdAt(number)!);
      const other = this.irreversible.get(number);
      if (other !== undefined && other !== id)
        throw new SimFailure('two irreversible blocks at one height', `${number}: ${other} and ${id}`);
      this.irreversible.set(number, id);
    }
    shown.solidified = Math.max(shown.solidified, position.solidifiedNumber);
  }

  /** Height that more than 70 % of the witnesses have gone beyond. */
  private irreversibleIn(chain: Chain): number {
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

function count({ paid }: Shown, block: DecodedBlock, by: number): void {
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
