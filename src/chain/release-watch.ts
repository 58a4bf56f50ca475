import {
  TransactionContractContractType as ContractType,
  type ProposalCreateContract,
  ProposalState,
} from '../codec/generated/messages.js';
import { UsageError } from '../primitives/errors.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import { activeWitnesses } from '../state-transition/consensus/schedule.js';
import { hasMostApprovals, proposalKey } from '../state-transition/governance/process-proposals.js';
import { releases } from '../state-transition/releases/index.js';
import type { Release } from '../state-transition/releases/release.js';
import type { State } from '../state-transition/state/state.js';

/** Percent of the active witnesses whose blocks make a version count: the lowest that any version has had. */
const PASSING_PERCENT = 70;
/** Versions above the newest known one that are looked for. */
const VERSIONS_AHEAD = 16;

interface News {
  readonly about: string;
  readonly sentence: string;
}

/**
 * Sees a chain leave the release that this node is: block versions and parameters that it does not know. What it says
 * is one sentence for the operator, with the release to change to. Nothing here changes the state or decides a block.
 */
export class ReleaseWatch {
  private readonly state: State;
  private readonly said = new Set<string>();

  constructor(state: State) {
    this.state = state;
  }

  private get release(): Release {
    return this.state.rules.release;
  }

  /** Before anything is executed. @throws {UsageError} a chain that has decided what this release does not know */
  requireKnownChain(): void {
    const known = new Set([...this.release.parameters.values()].map(({ property }) => property));
    for (const { id, property } of releases.flatMap(({ parameters }) => [...parameters.values()])) {
      if (known.has(property) || !this.state.properties.has(property)) continue;
      throw new UsageError(`the chain has decided parameter ${id} (${property}), ${this.unknown(knowsParameter(id))}`);
    }
  }

  /** After a block, and once at the start: news that the operator has not heard yet. */
  news(): string | undefined {
    const found = this.approvedParameter() ?? this.passedVersion();
    if (found === undefined || this.said.has(found.about)) return undefined;
    this.said.add(found.about);
    return found.sentence;
  }

  /** Whether a block can bring news at all: looked at for each block. */
  concerns({ raw, transactions }: DecodedBlock): boolean {
    if (raw.version > this.release.blockVersion) return true;
    return transactions.some(({ contractType }) => contractType === ContractType.ProposalApproveContract);
  }

  /**
   * On the state of its parent: why a block that an active witness signed is refused here, when the network has left
   * this release. A single witness cannot bring that about: a new parameter counts only after its block version has
   * passed.
   */
  whyRefused(block: DecodedBlock): string | undefined {
    const version = this.passedVersion();
    if (version === undefined) return undefined;
    const id = this.proposedParameter(block);
    if (id === undefined) return `block ${block.number} needs rules that are missing here: ${version.sentence}`;
    return `block ${block.number} proposes parameter ${id}, ${this.unknown(knowsParameter(id))}`;
  }

  private proposedParameter({ transactions }: DecodedBlock): number | undefined {
    for (const { contractType, parameter } of transactions) {
      if (contractType !== ContractType.ProposalCreateContract) continue;
      const ids = (parameter as ProposalCreateContract).parameters?.keys() ?? [];
      for (const id of ids) if (!this.release.parameters.has(id)) return Number(id);
    }
    return undefined;
  }

  /** A proposal that waits for its end with enough approvals. Only a chain that another node executed can hold one. */
  private approvedParameter(): News | undefined {
    const { state } = this;
    for (let number = state.properties.get('LATEST_PROPOSAL_NUM'); number > 0n; number--) {
      const proposal = state.proposals.get(proposalKey(number));
      if (proposal?.state === ProposalState.APPROVED || proposal?.state === ProposalState.DISAPPROVED) return undefined;
      if (proposal === undefined || proposal.state !== ProposalState.PENDING) continue;
      const id = [...proposal.parameters.keys()].find((key) => !this.release.parameters.has(key));
      if (id === undefined || !hasMostApprovals(state, proposal)) continue;
      const at = new Date(Number(proposal.expirationTime)).toISOString();
      const sets = `proposal ${number} is approved and sets parameter ${id} at ${at}`;
      return { about: `proposal ${number}`, sentence: `${sets}, ${this.unknown(knowsParameter(Number(id)))}` };
    }
    return undefined;
  }

  /** The newest unknown version that enough witnesses write. */
  private passedVersion(): News | undefined {
    const count = activeWitnesses(this.state).length;
    const newest = this.release.blockVersion;
    for (let version = newest + VERSIONS_AHEAD; version > newest; version--) {
      const stats = this.state.properties.forkStats(version);
      const writing = stats?.reduce((sum, flag) => sum + (flag === 1 ? 1 : 0), 0) ?? 0;
      if (writing === 0 || writing * 100 < count * PASSING_PERCENT) continue;
      const who = `${writing} of ${count} active witnesses write block version ${version}`;
      const unknown = this.unknown(({ forkVersions }) => forkVersions.some((row) => row.version === version));
      return { about: `version ${version}`, sentence: `${who}, ${unknown}` };
    }
    return undefined;
  }

  private unknown(knows: (release: Release) => boolean): string {
    const other = releases.find(knows);
    const advice =
      other === undefined
        ? 'no release that this program can be knows it: a newer one is needed'
        : `release ${other.name} knows it: set tronicle.release = "${other.name}"`;
    return `which release ${this.release.name} does not know; ${advice}`;
  }
}

function knowsParameter(id: number): (release: Release) => boolean {
  return ({ parameters }) => parameters.has(BigInt(id));
}
