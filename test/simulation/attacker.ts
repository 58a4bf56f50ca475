import { produceBlock } from '../../src/chain/production/produce-block.js';
import { Block, Transaction } from '../../src/codec/generated/messages.js';
import { secp256k1 } from '../../src/crypto/secp256k1.js';
import { encodeItems } from '../../src/p2p/wire/messages.js';
import { toAddress } from '../../src/primitives/address.js';
import { concatBytes, fromHex, fromInt64 } from '../../src/primitives/bytes.js';
import { type DecodedBlock, merkleRoot, toDecodedBlock } from '../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../src/state-transition/block/encoded-block.js';
import { SLOT_MS, scheduledWitness, slotAt, slotTime } from '../../src/state-transition/consensus/schedule.js';
import { payment } from './payments.js';
import type { Forgery } from './plan.js';
import { payerOf, type SimAccount } from './sim-config.js';
import type { SimNode } from './sim-node.js';

const ORPHANS = 60;
/**
 * Time in ms by which a forged block for the slot of another witness is early, so that it arrives before the valid
 * block.
 */
const EARLY_MS = 300;
const RANDOM_BYTES_MAX = 400;

/** A malicious witness. It produces blocks on the head of its node. */
export class Attacker {
  private readonly node: SimNode;
  private readonly own: SimAccount;
  private readonly random: () => number;

  constructor(node: SimNode, own: SimAccount, random: () => number) {
    this.node = node;
    this.own = own;
    this.random = random;
  }

  /** Distance in slots from the head block to the next slot of this witness, which may be the current slot. */
  get ownSlot(): number {
    const { state } = this.node.chain;
    const first = Math.max(1, slotAt(state, Date.now()));
    const own = toAddress(this.own.bytes);
    for (let slot = first; slot < first + 28; slot++) if (scheduledWitness(state, slot) === own) return slot;
    throw new Error('the attacker is not a witness');
  }

  /** Number of slots from the head to the next slot of another witness. */
  private get othersSlot(): number {
    const next = Math.max(1, slotAt(this.node.chain.state, Date.now() + EARLY_MS));
    return next === this.ownSlot ? next + 1 : next;
  }

  /**
   * Returns the next useful time for a forgery, in ms since 1970: in the own slot, shortly before the slot of another
   * witness, or now.
   */
  timeFor(what: Forgery): number {
    const { state } = this.node.chain;
    if (OWN_SLOT.has(what)) return slotTime(state, this.ownSlot);
    return what === 'slot of another witness' ? slotTime(state, this.othersSlot) - EARLY_MS : Date.now();
  }

  /** Executes a forgery. @returns a line for the log of the simulation */
  act(what: Forgery): string {
    const { network } = this.node.up;
    if (what === 'random bytes') {
      for (const peer of network.peers.active())
        peer.send(this.bytes(1 + Math.floor(this.random() * RANDOM_BYTES_MAX)));
      return 'sends random bytes';
    }
    const made = this.make(what);
    made.forEach((block, at) => {
      if (what !== 'two blocks in one slot') network.announceBlock(block);
      else
        network.peers.active().forEach((peer, place) => {
          if (place % 2 === at) peer.send(encodeItems('INVENTORY', { kind: 'block', ids: [block.idHex] }));
        });
    });
    if (what === 'two blocks in one slot') for (const block of made) network.announceBlock(block);
    return `announces ${made.length} (${what}), ${made[0]!.number} ${made[0]!.idHex.slice(16, 24)}`;
  }

  private make(what: Forgery): readonly DecodedBlock[] {
    const { state } = this.node.chain;
    const present = Math.max(1, slotAt(state, Date.now()));
    const own = this.ownSlot;
    switch (what) {
      case 'wrong signer':
        return [this.signed(this.block(scheduledWitness(state, present), present))];
      case 'slot of another witness':
        return [this.block(toAddress(this.own.bytes), this.othersSlot)];
      case 'from the future':
        return [this.block(toAddress(this.own.bytes), own + 28 * 5, SLOT_MS)];
      case 'wrong Merkle root':
        return [this.changed(own, (block) => block.blockHeader!.rawData!.txTrieRoot.fill(7))];
      case 'stolen payment':
        return [this.paying(own, payment(this.node.chain, this.random, payerOf(99)))];
      case 'duplicate payment': {
        const old = this.oldPayment();
        return [old === undefined || this.random() < 0.5 ? this.paying(own, ...this.twice()) : this.paying(own, old)];
      }
      case 'two blocks in one slot':
        return [this.block(toAddress(this.own.bytes), own), this.paying(own, payment(this.node.chain, this.random))];
      default:
        return Array.from({ length: ORPHANS }, () =>
          this.changed(own, (block) => block.blockHeader!.rawData!.parentHash.set(this.bytes(24), 8)),
        );
    }
  }

  private twice(): readonly Transaction[] {
    const one = payment(this.node.chain, this.random);
    return [one, one];
  }

  /**
   * Returns a payment in one of the last ten blocks, so that it has not expired; undefined if these blocks have none.
   */
  private oldPayment(): Transaction | undefined {
    const { chain } = this.node;
    const { headNumber } = chain.ledger.position;
    for (let number = headNumber; number > Math.max(0, headNumber - 10); number--) {
      const [found] = chain.storedBlock(number).transactions;
      if (found !== undefined) return found.message;
    }
    return undefined;
  }

  /**
   * Produces a block for a slot, signed with the key of this witness. The block is valid only if `witness` is this
   * witness.
   */
  private block(witness: ReturnType<typeof toAddress>, slot: number, moreMs = 0): DecodedBlock {
    const { chain } = this.node;
    const { headNumber, headId } = chain.ledger.position;
    return produceBlock(chain.state, chain.mempool, {
      witness,
      key: { privateKey: fromHex(this.own.privateKey), address: fromHex(witness) },
      timeMs: slotTime(chain.state, slot) + Math.trunc(moreMs / SLOT_MS) * SLOT_MS,
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted: false,
      isTimeUp: () => true,
    })!;
  }

  private paying(slot: number, ...payments: readonly Transaction[]): DecodedBlock {
    return this.changed(slot, (block) => {
      block.transactions = payments.map((one) => {
        const copy = Transaction.decode(Transaction.encode(one));
        return copy;
      });
      block.blockHeader!.rawData!.txTrieRoot = merkleRoot(block.transactions);
    });
  }

  private changed(slot: number, change: (block: Block) => void): DecodedBlock {
    const message = Block.decode(this.block(toAddress(this.own.bytes), slot).bytes);
    message.blockHeader!.rawData!.txTrieRoot = message.blockHeader!.rawData!.txTrieRoot.slice();
    message.blockHeader!.rawData!.parentHash = message.blockHeader!.rawData!.parentHash.slice();
    change(message);
    return this.signed(toDecodedBlock(message));
  }

  private signed(block: DecodedBlock): DecodedBlock {
    return signedBy(this.own, block);
  }

  private bytes(count: number): Uint8Array {
    const made = new Uint8Array(count);
    for (let at = 0; at < count; at++) made[at] = Math.floor(this.random() * 256);
    return made;
  }
}

/** Returns the block with the signature of an account in its header. */
export function signedBy({ privateKey }: SimAccount, { message, raw }: DecodedBlock): DecodedBlock {
  const { signature, recid } = secp256k1.sign(headerHash(raw), fromHex(privateKey));
  message.blockHeader!.witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  return toDecodedBlock(message);
}

const OWN_SLOT: ReadonlySet<Forgery> = new Set<Forgery>([
  'wrong Merkle root',
  'stolen payment',
  'duplicate payment',
  'two blocks in one slot',
  'orphans',
]);

/** Returns the encoded block with another, invalid witness signature. */
export function tampered(bytes: Uint8Array): Uint8Array {
  const block = Block.decode(bytes);
  const header = block.blockHeader;
  if (header === undefined || header.witnessSignature.length < 65) return bytes;
  header.witnessSignature = concatBytes(
    header.witnessSignature.slice(0, 40),
    fromInt64(77n),
    header.witnessSignature.slice(48),
  );
  return Block.encode(block);
}
