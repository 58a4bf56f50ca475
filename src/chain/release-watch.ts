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

/**
 * Percentage of active witnesses that must produce blocks of a version to activate it. This is the lowest threshold of
 * all known versions.
 */
const PASSING_PERCENT = 70;
/** Number of block versions after the newest known one that are checked. */
const VERSIONS_AHEAD = 16;

interface ReleaseWarning {
  readonly about: string;
  readonly sentence: string;
}

/**
 * Detects block versions and parameters that the emulated release does not know. For each of them, returns one sentence
 * for the operator with the release to select. Never changes the state, and never decides about a block.
 */
export class ReleaseWatch {
  private readonly state: State;
  private readonly reported = new Set<string>();

  constructor(state: State) {
    this.state = state;
  }

  private get release(): Release {
    return this.state.rules.release;
  }

  /**
   * Checks that the chain has set no parameter unknown to the emulated release. Must be called before any execution.
   * @throws {UsageError} the chain has set such a parameter
   */
  requireKnownChain(): void {
    const known = new Set([...this.release.parameters.values()].map(({ property }) => property));
    for (const { id, property } of releases.flatMap(({ parameters }) => [...parameters.values()])) {
      if (known.has(property) || !this.state.properties.has(property)) continue;
      throw new UsageError(`the chain has set parameter ${id} (${property}), ${this.unknown(supportsParameter(id))}`);
    }
  }

  /**
   * Returns a warning that was not returned before, or undefined. Must be called at start-up and after each block for
   * which {@link concerns} is true.
   */
  warning(): string | undefined {
    const found = [this.approvedParameter(), this.passedVersion()];
    const first = found.find((warning) => warning !== undefined && !this.reported.has(warning.about));
    if (first !== undefined) this.reported.add(first.about);
    return first?.sentence;
  }

  /** Returns true if a block can cause a warning. Called for every block. */
  concerns({ raw, transactions }: DecodedBlock): boolean {
    if (raw.version > this.release.blockVersion) return true;
    return transactions.some(({ contractType }) => contractType === ContractType.ProposalApproveContract);
  }

  /**
   * Returns a text if a validly signed block was probably rejected because the network uses an unknown release;
   * otherwise undefined. The state must be that of the parent block. A single witness cannot cause the text, because
   * enough witnesses must produce the new block version.
   */
  whyRefused(block: DecodedBlock): string | undefined {
    const version = this.passedVersion();
    if (version === undefined) return undefined;
    const id = this.proposedParameter(block);
    if (id === undefined) return `block ${block.number} needs rules unknown to this node: ${version.sentence}`;
    return `block ${block.number} proposes parameter ${id}, ${this.unknown(supportsParameter(id))}`;
  }

  private proposedParameter({ transactions }: DecodedBlock): number | undefined {
    for (const { contractType, parameter } of transactions) {
      if (contractType !== ContractType.ProposalCreateContract) continue;
      const ids = (parameter as ProposalCreateContract).parameters?.keys() ?? [];
      for (const id of ids) if (!this.release.parameters.has(id)) return Number(id);
    }
    return undefined;
  }

  /**
   * Finds a pending proposal that has enough approvals and changes an unknown parameter. This node rejects such
   * proposals, so the proposal can only be in a state that another node has computed, for example an imported state.
   */
  private approvedParameter(): ReleaseWarning | undefined {
    const { state } = this;
    for (let number = state.properties.get('LATEST_PROPOSAL_NUM'); number > 0n; number--) {
      const proposal = state.proposals.get(proposalKey(number));
      if (proposal?.state === ProposalState.APPROVED || proposal?.state === ProposalState.DISAPPROVED) return undefined;
      if (proposal === undefined || proposal.state !== ProposalState.PENDING) continue;
      const id = [...proposal.parameters.keys()].find((key) => !this.release.parameters.has(key));
      if (id === undefined || !hasMostApprovals(state, proposal)) continue;
      const at = new Date(Number(proposal.expirationTime)).toISOString();
      const sets = `proposal ${number} is approved and sets parameter ${id} at ${at}`;
      return { about: `proposal ${number}`, sentence: `${sets}, ${this.unknown(supportsParameter(Number(id)))}` };
    }
    return undefined;
  }

  /** Finds the newest unknown block version that enough witnesses produce. */
  private passedVersion(): ReleaseWarning | undefined {
    const count = activeWitnesses(this.state).length;
    const newest = this.release.blockVersion;
    for (let version = newest + VERSIONS_AHEAD; version > newest; version--) {
      const stats = this.state.properties.forkStats(version);
      const writing = stats?.reduce((sum, flag) => sum + (flag === 1 ? 1 : 0), 0) ?? 0;
      if (writing === 0 || writing * 100 < count * PASSING_PERCENT) continue;
      const who = `${writing} of ${count} active witnesses produce block version ${version}`;
      const unknown = this.unknown(({ forkVersions }) => forkVersions.some((row) => row.version === version));
      return { about: `version ${version}`, sentence: `${who}, ${unknown}` };
    }
    return undefined;
  }

  private unknown(supports: (release: Release) => boolean): string {
    const other = releases.find(supports);
    const advice =
      other === undefined
        ? 'no supported release has it; install a newer version of this program'
        : `release ${other.name} has it; set tronicle.release = "${other.name}"`;
    return `unknown to release ${this.release.name}; ${advice}`;
  }
}

function supportsParameter(id: number): (release: Release) => boolean {
  return ({ parameters }) => parameters.has(BigInt(id));
}
