import type { Chain } from '../../../src/chain/chain.js';
import {
  TransactionResultContractResult as ContractResult,
  type Transaction,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import type { Address } from '../../../src/primitives/address.js';
import { equalBytes } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { slotTime } from '../../../src/state-transition/consensus/schedule.js';
import type { Actor } from './actors.js';
import { type ChainStory, FAVOUR } from './chain-stories.js';
import { families, tried } from './families/families.js';
import { approvalOf, proposalOf } from './families/governance.js';
import { underPermission } from './families/permissions.js';
import { mutated } from './mutated-block.js';
import type { NodePair } from './node-pair.js';
import { noteBlock } from './note-block.js';
import { withOddField } from './odd-field.js';
import { followOurs, makeOurs, offerOurs, pushOurs, turnAt } from './our-node.js';
import { chooseAgreed, chooseEarly, chooseExtreme, chooseNamed, earlyValue } from './proposed-parameters.js';
import type { RandomChoices } from './random-choices.js';
import { Scene } from './scene.js';
import { type Draft, seal } from './sealed-transaction.js';
import { chooseVersion, ofVersion } from './versioned-block.js';

/** Number of submitted and of accepted transactions, by kind. */
export type Tally = Map<string, { offered: number; accepted: number }>;

/** Number of blocks after the votes. In these blocks, the proposals expire and a maintenance takes place. */
const ADOPTING_BLOCKS = 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Chain to which a run adds blocks: a {@link NodePair}, or a chain of this node only. */
export interface GrownChain {
  readonly chain: Chain;
  /** Submits a transaction. Returns true if it is accepted. @param what name of the kind of transaction */
  offer(transaction: Transaction, what: string): Promise<boolean>;
  /** Produces a block from the pending transactions. Returns undefined if the signer may not sign for the witness. */
  make(witness: Uint8Array, signer: Actor, timeMs: number): Promise<DecodedBlock | undefined>;
  /**
   * Applies a block.
   * @param keeps true to keep the transactions that are still pending after the block, false to delete them
   */
  push(block: DecodedBlock, keeps?: boolean): Promise<void>;
}

interface Offered {
  readonly name: string;
  readonly transaction: Transaction;
}

/**
 * Number of successive rejections after which a kind of transaction is created less often, because the current rules
 * may not allow it.
 */
const DISCOURAGING = 6;

/** Chooses a kind of transaction at random, by weight. @param refusals number of successive rejections, by kind */
function choose(
  scene: Scene,
  from: typeof families,
  refusals: ReadonlyMap<string, number>,
): { name: string; made: Draft } | undefined {
  const total = from.reduce((sum, [weight]) => sum + weight, 0);
  let left = scene.random.below(total);
  for (const [weight, family] of from) {
    left -= weight;
    if (left >= 0) continue;
    if ((refusals.get(family.name) ?? 0) >= DISCOURAGING && scene.random.chance(0.85)) return undefined;
    const made = family(scene);
    return made === undefined ? undefined : { name: family.name, made };
  }
  return undefined;
}

/**
 * Returns the kinds of transactions with their weights. Some chains have a story (a topic): the kinds that the story
 * favours have a higher weight, and some kinds occur only with a story.
 */
function favoured(story: ChainStory | undefined): typeof families {
  const favours = story?.favours ?? [];
  const own = favours.filter((favour) => families.every(([, family]) => family !== favour));
  return [
    ...families.map(([weight, family]) => [favours.includes(family) ? weight * FAVOUR : weight, family] as const),
    ...own.map((family) => [FAVOUR, family] as const),
  ];
}

/** Grows one chain on both nodes. A second chain of this node (`aside`) produces the blocks of side branches. */
export class ChainRun {
  private readonly pair: GrownChain;
  private readonly aside: Chain;
  private readonly random: RandomChoices;
  readonly scene: Scene;
  private readonly asideScene: Scene;
  private readonly tally: Tally;
  private readonly story: ChainStory | undefined;
  private readonly favoured: typeof families;
  private readonly unrested: typeof families;
  private readonly tried: typeof families;
  /** Block version that each producer uses. */
  private readonly versions = new Map<Address, number>();
  private readonly refusals = new Map<string, number>();

  constructor(pair: GrownChain, aside: Chain, random: RandomChoices, tally: Tally, story?: ChainStory) {
    this.pair = pair;
    this.aside = aside;
    this.random = random;
    this.scene = new Scene(pair.chain, random);
    this.asideScene = new Scene(aside, random, this.scene);
    this.tally = tally;
    this.story = story;
    this.favoured = favoured(story);
    this.tried = [...tried, ...(story?.favours ?? []).map((family) => [20, family] as const)];
    this.unrested = this.favoured.filter(([, family]) => !story?.rests?.includes(family));
  }

  private get families(): typeof families {
    const { properties, rules } = this.scene.state;
    const later = (this.story?.later ?? []).map((id) => rules.release.parameters.get(BigInt(id)));
    const [isStarted = false, ...others] = later.map((row) => row !== undefined && properties.isOn(row.property));
    return isStarted && others.at(-1) === false ? this.unrested : this.favoured;
  }

  /**
   * Adds one block with random transactions. Both nodes execute it.
   * @param transactions number of random transactions
   * @param shared transactions that are submitted before the random ones
   */
  async block(transactions: number, shared: readonly Offered[] = []): Promise<void> {
    if (this.random.chance(0.03)) await this.pushOlder();
    const made = await this.make(transactions, shared);
    pushOurs(this.aside, made);
  }

  /**
   * Enables parameters that no configuration can enable. Each parameter has a separate proposal, which all witnesses
   * approve.
   */
  async adopt(): Promise<void> {
    const { scene } = this;
    const proposals = chooseEarly(scene).map((id) =>
      this.sealed('proposalOf', proposalOf(new Map([[id, earlyValue(scene, id)]]))),
    );
    await this.block(0, proposals);
    const last = scene.state.properties.get('LATEST_PROPOSAL_NUM');
    for (let id = 1n; id <= last; id++) {
      const approvals = scene.producers().map((witness) => this.sealed('approvalOf', approvalOf(witness, id)));
      await this.block(0, approvals);
    }
    for (let at = 0; at < ADOPTING_BLOCKS; at++) await this.block(0);
  }

  /**
   * Adds a block with proposals that all witnesses approve, and with random transactions. The proposals take effect at
   * one of the next maintenances.
   * @param ids ids of the parameters; random by default
   */
  async agree(ids?: readonly number[]): Promise<void> {
    const { scene, random } = this;
    const { properties } = scene.state;
    const before = properties.get('LATEST_PROPOSAL_NUM');
    const agreed =
      ids !== undefined
        ? chooseNamed(scene, ids)
        : this.story?.hasExtremes && random.chance(0.8)
          ? chooseExtreme(scene)
          : chooseAgreed(scene);
    // Each parameter has a separate proposal, because one invalid parameter makes the whole proposal invalid.
    const proposals = [...agreed].map((each) => this.sealed('proposalOf', proposalOf(new Map([each]))));
    await this.block(random.below(6), proposals);
    for (let id = before + 1n; id <= properties.get('LATEST_PROPOSAL_NUM'); id++) {
      const approvals = scene.producers().map((witness) => this.sealed('approvalOf', approvalOf(witness, id)));
      await this.block(random.below(6), approvals);
    }
  }

  private sealed(name: string, made: Draft): Offered {
    return { name, transaction: seal(this.scene.chain, this.random, made) };
  }

  /**
   * Pushes one or two side branches that start at the current head. Each is longer than the branch that both nodes
   * produce in the meantime, and contains some transactions of that branch. The blocks are pushed separately, sometimes
   * out of order.
   */
  async fork(): Promise<void> {
    const { aside, random } = this;
    const base = aside.ledger.position.headNumber;
    const length = random.chance(0.8) ? random.between(1, 3) : random.between(4, 8);
    const shared: Offered[] = [];
    const branches: DecodedBlock[][] = [];
    for (let at = random.chance(0.3) ? 2 : 1; at > 0; at--) {
      aside.rollback(base);
      branches.push(this.branch(length + at, shared));
    }
    for (let at = 0; at < length; at++)
      await this.make(random.below(8), at === 0 ? shared.filter(() => random.chance(0.5)) : []);
    await this.deliver(branches, base);
    followOurs(aside, this.pair.chain, base);
  }

  /** Produces a side branch of a length. @param shared receives the transactions of the first block of the branch */
  private branch(length: number, shared: Offered[]): DecodedBlock[] {
    const { aside, random } = this;
    const branch: DecodedBlock[] = [];
    while (branch.length < length) {
      for (let at = random.below(8); at > 0; at--) {
        const offered = this.randomTransaction(this.asideScene);
        if (offered === undefined || offerOurs(aside, offered.transaction) !== undefined) continue;
        if (branch.length === 0) shared.push(offered);
      }
      const block = this.makeAside();
      pushOurs(aside, block);
      branch.push(block);
    }
    return branch;
  }

  /**
   * Pushes the branches in random order. Stops when the first block after the common parent is solidified. After that,
   * java-tron would revert blocks until it has no older states in memory, and then stop.
   */
  private async deliver(branches: readonly (readonly DecodedBlock[])[], base: number): Promise<void> {
    const { random, pair } = this;
    const queues = branches.map((branch) => [...branch]);
    for (let left = queues; left.length > 0; left = queues.filter(({ length }) => length > 0)) {
      if (pair.chain.solidifiedNumber > base) return;
      const queue = random.pick(left);
      // Pushes any block of the branch. Its parent may be unknown.
      if (random.chance(0.15)) await pair.push(random.pick(queue), random.chance(0.5));
      const [block] = queue.splice(0, 1);
      if (block !== undefined) await pair.push(block, random.chance(0.5));
      noteBlock(this.scene);
    }
  }

  /**
   * Adds blocks of other producers while transactions are pending. Each block contains some of the pending
   * transactions and other transactions. The remaining transactions stay pending.
   */
  async foreign(): Promise<void> {
    const { aside, random } = this;
    for (let at = random.between(1, 20); at > 0; at--) {
      const pending = random.chance(0.7) ? await this.transaction() : undefined;
      if (pending !== undefined && random.chance(0.5)) offerOurs(aside, pending);
      const other = random.chance(0.3) ? this.randomTransaction(this.asideScene) : undefined;
      if (other !== undefined) offerOurs(aside, other.transaction);
    }
    const block = this.makeAside();
    const { signer } = turnAt(aside, block.timeMs);
    if (signer !== undefined && random.chance(0.3)) await this.pushForeign(mutated(block, signer, random, undefined));
    await this.pushForeign(block);
    // Pending transactions are already validated, so the nodes may accept a block that the second chain rejects. Blocks
    // are added until both chains have the same head.
    while (!equalBytes(aside.ledger.position.headId, this.pair.chain.ledger.position.headId))
      await this.pushForeign(this.makeAside());
  }

  private async pushForeign(block: DecodedBlock): Promise<void> {
    pushOurs(this.aside, block);
    await this.pair.push(block, true);
    noteBlock(this.scene);
  }

  private async make(transactions: number, shared: readonly Offered[]): Promise<DecodedBlock> {
    for (const { name, transaction } of shared) await this.pair.offer(transaction, name);
    for (let at = 0; at < transactions; at++) await this.transaction();
    for (let timeMs = this.nextTime(this.pair.chain, transactions > 0); ; timeMs += 3000) {
      const { witness, signer } = turnAt(this.pair.chain, timeMs);
      const younger = signer === undefined ? undefined : await this.pair.make(witness, signer, timeMs);
      if (younger === undefined || signer === undefined) continue;
      const made = this.story?.hasVersions ? this.versioned(younger, signer) : younger;
      const isMutated = this.random.chance(0.25);
      // Both nodes accept any time for block 1. No block can follow a block before genesis.
      if (isMutated && made.number > 1) await this.pushMutated(made, signer);
      await this.pair.push(made);
      noteBlock(this.scene);
      return made;
    }
  }

  /**
   * Pushes an invalid block to both nodes and compares the results. If both nodes accept the block, it is the new head.
   * The valid block is then on a side branch.
   */
  private async pushMutated(made: DecodedBlock, signer: Actor): Promise<void> {
    const { random, pair } = this;
    const { ledger } = pair.chain;
    const entry = ledger.block(Math.max(1, ledger.position.headNumber - random.below(30)));
    const older = entry === undefined ? undefined : decodeBlock(entry.block).message.transactions[0];
    const wrong = mutated(made, signer, random, older);
    await pair.push(wrong);
    pushOurs(this.aside, wrong);
  }

  /** Pushes an earlier block again. Both nodes know this block, or have already deleted it. */
  private async pushOlder(): Promise<void> {
    const { ledger } = this.pair.chain;
    const older = ledger.block(ledger.position.headNumber - this.random.below(40));
    if (older !== undefined) await this.pair.push(decodeBlock(older.block));
  }

  /**
   * Returns the block with the block version of the release that its producer simulates. Most producers keep their
   * release for several blocks.
   */
  private versioned(block: DecodedBlock, signer: Actor): DecodedBlock {
    const { random, versions } = this;
    const before = versions.get(block.witness);
    const changes = before === undefined || random.chance(0.15);
    const version = changes ? chooseVersion(random, [...versions.values()], block.number) : before;
    versions.set(block.witness, version);
    return ofVersion(block, signer, version);
  }

  private makeAside(): DecodedBlock {
    for (let timeMs = this.nextTime(this.aside, true); ; timeMs += 3000) {
      const { witness, signer } = turnAt(this.aside, timeMs);
      const made = signer === undefined ? undefined : makeOurs(this.aside, witness, signer, timeMs);
      if (made !== undefined) return made;
    }
  }

  /** Creates a transaction of a random kind. @param odd share of transactions with an invalid field */
  private randomTransaction(scene: Scene, from = this.families, odd = 0.02): Offered | undefined {
    const chosen = choose(scene, from, this.refusals);
    if (chosen === undefined) return undefined;
    const plain = scene.random.chance(odd) ? withOddField(scene, chosen.made) : chosen.made;
    const [first] = plain.signers;
    const made = first === undefined ? plain : underPermission(scene, first, plain);
    return { name: chosen.name, transaction: seal(scene.chain, scene.random, made) };
  }

  /**
   * Executes random transactions without storing them, each on top of the head with an empty mempool. In the same
   * time, more transactions can be executed in this way than in blocks.
   */
  async attempts(pair: NodePair, count: number): Promise<void> {
    const { scene } = this;
    if (pair.chain.mempool.pending.size > 0) return;
    const timeMs = slotTime(pair.chain.state, 1);
    const { witness } = turnAt(pair.chain, timeMs);
    for (let at = 0; at < count; at++) {
      const offered = this.randomTransaction(scene, this.tried, 0.15);
      // A transaction without a contract is never in a block: both nodes would reject it before its execution.
      if (offered?.transaction.rawData?.contract[0] === undefined) continue;
      const { name, transaction } = offered;
      // Adds a result, because each transaction in a block has one.
      transaction.ret = [Object.assign(new TransactionResult(), { contractRet: ContractResult.SUCCESS })];
      const accepted = await pair.attempt(transaction, witness, timeMs, name);
      this.count(`tried ${name}`, accepted);
    }
  }

  private count(name: string, accepted: boolean): void {
    const counts = this.tally.get(name) ?? { offered: 0, accepted: 0 };
    counts.offered++;
    if (accepted) counts.accepted++;
    this.tally.set(name, counts);
  }

  /** Submits a random transaction. @returns the transaction if both nodes accepted it, otherwise undefined */
  private async transaction(): Promise<Transaction | undefined> {
    const offered = this.randomTransaction(this.scene);
    if (offered === undefined) return undefined;
    const { name, transaction } = offered;
    const accepted = await this.pair.offer(transaction, name);
    this.refusals.set(name, accepted ? 0 : (this.refusals.get(name) ?? 0) + 1);
    this.count(name, accepted);
    return accepted ? transaction : undefined;
  }

  /** Returns the time of the next block. In most cases it is the next slot, sometimes minutes or days later. */
  private nextTime({ state }: Chain, jumps: boolean): number {
    const { random } = this;
    const next = slotTime(state, 1);
    const kind = jumps ? random.below(100) : 99;
    const slots = (ms: number): number => Math.floor(ms / 3000) * 3000;
    if (kind < 8) return next + slots(random.below(MINUTE_MS));
    if (kind < 12) return next + slots(random.below(60 * MINUTE_MS));
    if (kind < 18) return next + slots(random.below(DAY_MS));
    if (kind < 21) return next + slots(random.below(4 * DAY_MS));
    return next;
  }
}
