import {
  ProposalApproveContract,
  ProposalCreateContract,
  ProposalDeleteContract,
  UpdateBrokerageContract,
  VoteWitnessContract,
  VoteWitnessContractVote,
  WitnessCreateContract,
  WitnessUpdateContract,
} from '../../../../src/codec/generated/messages.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { itemAt } from '../../../../src/primitives/assert.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { type Actor, everybody, rich, witnesses } from '../actors.js';
import { choosePower } from '../choose-power.js';
import { oddTextBytes } from '../odd-text.js';
import { chooseParameters } from '../proposed-parameters.js';
import type { Family } from '../scene.js';
import { type Draft, draft } from '../sealed-transaction.js';

export const vote: Family = (scene) => {
  const { random } = scene;
  const strong = everybody.filter((actor) => choosePower(scene, actor) > 0n);
  const owner = strong.length > 0 && random.chance(0.9) ? random.pick(strong) : scene.owner();
  const count = random.chance(0.97) ? random.between(1, 4) : random.pick([0, 30, 31]);
  const power = choosePower(scene, owner);
  const candidates = [...scene.state.witnesses.range('')].map(([, { address }]) => address);
  const votes = Array.from({ length: count }, () =>
    Object.assign(new VoteWitnessContractVote(), {
      voteAddress: random.chance(0.97) ? random.pick(candidates) : scene.target(),
      voteCount: random.chance(0.9) ? random.upTo(power / BigInt(count || 1) - 1n) + 1n : random.amount(power),
    }),
  );
  return draft('VoteWitnessContract', VoteWitnessContract, { ownerAddress: owner.bytes, votes }, owner);
};

export const becomeWitness: Family = (scene) => {
  const { random } = scene;
  const owner = random.chance(0.5) ? random.pick(rich) : scene.owner();
  const url = random.chance(0.3) ? oddTextBytes(random, 256) : utf8('http://w'.repeat(random.pick([1, 0, 32, 33])));
  return draft('WitnessCreateContract', WitnessCreateContract, { ownerAddress: owner.bytes, url }, owner);
};

export const renameWitness: Family = (scene) => {
  const { random } = scene;
  const owner = scene.witness();
  const updateUrl = random.chance(0.3) ? oddTextBytes(random, 256) : utf8('u'.repeat(random.pick([1, 9, 0, 256, 257])));
  return draft('WitnessUpdateContract', WitnessUpdateContract, { ownerAddress: owner.bytes, updateUrl }, owner);
};

export const setBrokerage: Family = (scene) => {
  const owner = scene.witness();
  const brokerage = scene.random.chance(0.9) ? scene.random.below(101) : scene.random.pick([-1, 101]);
  return draft('UpdateBrokerageContract', UpdateBrokerageContract, { ownerAddress: owner.bytes, brokerage }, owner);
};

export const propose: Family = (scene) => {
  const owner = scene.witness();
  const parameters = chooseParameters(scene);
  return draft('ProposalCreateContract', ProposalCreateContract, { ownerAddress: owner.bytes, parameters }, owner);
};

export const approve: Family = (scene) => {
  const { random, state, headMs } = scene;
  const open = [...state.proposals.range('')]
    .map(([, proposal]) => proposal)
    .filter((proposal) => proposal.state === 0 && proposal.expirationTime > headMs);
  const known = open.length > 0 && random.chance(0.97) ? random.pick(open) : undefined;
  if (known === undefined && random.chance(0.9)) return undefined;
  const proposalId = known?.proposalId ?? BigInt(random.between(-1, 4));
  const approvals = (known?.approvals ?? []).map(toAddress);
  const fresh = scene.producers().filter(({ address }) => !approvals.includes(address));
  const owner = fresh.length > 0 && random.chance(0.9) ? random.pick(fresh) : scene.witness();
  const fields = { ownerAddress: owner.bytes, proposalId, isAddApproval: random.chance(0.95) };
  return draft('ProposalApproveContract', ProposalApproveContract, fields, owner);
};

export const dropProposal: Family = (scene) => {
  const { random, state } = scene;
  const all = [...state.proposals.range('')].map(([, proposal]) => proposal);
  if (all.length === 0) return undefined;
  const { proposalId, proposerAddress: proposer } = random.pick(all);
  const owner = scene.keyOf(proposer);
  return draft('ProposalDeleteContract', ProposalDeleteContract, { ownerAddress: owner.bytes, proposalId }, owner);
};

/** Creates a proposal of the first witness. */
export function proposalOf(parameters: Map<bigint, bigint>): Draft {
  const first = itemAt(witnesses, 0);
  return draft('ProposalCreateContract', ProposalCreateContract, { ownerAddress: first.bytes, parameters }, first);
}

export function approvalOf(witness: Actor, proposalId: bigint): Draft {
  const fields = { ownerAddress: witness.bytes, proposalId, isAddApproval: true };
  return draft('ProposalApproveContract', ProposalApproveContract, fields, witness);
}
