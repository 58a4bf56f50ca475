import type { Chain } from '../../chain/chain.js';
import type { ChainListener } from '../../chain/chain-listener.js';
import { PBFTMessageDataType as DataType, SRL } from '../../codec/generated/messages.js';
import { keyAddress } from '../../crypto/key-address.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import type { LocalChain } from '../../p2p/local-chain.js';
import type { Proposal, VotingKey } from '../../p2p/pbft/vote-counter.js';
import { concatBytes, fromHex, toHex } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';

interface VoteProposerOptions {
  readonly chain: Chain;
  readonly local: Pick<LocalChain, 'usesVotes' | 'votersOf'>;
  readonly propose: (proposal: Proposal) => void;
  readonly withdraw: (proposal: Proposal) => void;
}

/**
 * Proposes a PBFT vote on each applied block. After maintenance, also proposes a vote on the witnesses of the next
 * epoch. A block that was applied in a reorg gets no proposal, and ends the vote on the block that it replaces.
 *
 * In java-tron, the PBFT view does not advance on a node without elected witness keys. In Tronicle, the view always
 * advances.
 * Reference: MaintenanceManager.applyBlock, PbftManager.
 */
export class VoteProposer {
  private readonly options: VoteProposerOptions;
  private readonly listener: ChainListener = {
    applied: (block) => this.applied(block),
    reverted: () => {
      this.nextMs = this.maintenanceMs();
    },
  };
  private nextMs: bigint;

  constructor(options: VoteProposerOptions) {
    this.options = options;
    this.nextMs = this.maintenanceMs();
    options.chain.listeners.add(this.listener);
  }

  close(): void {
    this.options.chain.listeners.delete(this.listener);
  }

  private applied({ number, id }: DecodedBlock): void {
    const { chain, local } = this.options;
    const beforeMs = this.nextMs;
    const nextMs = this.maintenanceMs();
    this.nextMs = nextMs;
    if (!local.usesVotes) return;
    const act = chain.isReorging ? this.options.withdraw : this.options.propose;
    if (nextMs !== beforeMs && number !== 1) {
      const srAddress = local.votersOf(nextMs).map(fromHex);
      const data = SRL.encode(Object.assign(new SRL(), { srAddress }));
      act({ dataType: DataType.SRL, viewN: nextMs, epoch: nextMs, data });
    }
    // A maintenance block belongs to the epoch that it ends.
    act({ dataType: DataType.BLOCK, viewN: BigInt(number), epoch: number === 1 ? nextMs : beforeMs, data: id });
  }

  private maintenanceMs(): bigint {
    return this.options.chain.state.properties.get('NEXT_MAINTENANCE_TIME');
  }
}

/**
 * Returns the keys that sign votes: the keys of the witness accounts. A key with only the witness permission can sign
 * blocks, but not votes. Its address is not an active witness, so peers would disconnect from the sender of its vote.
 */
export function votingKeys(privateKeys: readonly string[], prefix: number): readonly VotingKey[] {
  return privateKeys.map((hex) => {
    const key = fromHex(hex);
    return {
      address: toHex(keyAddress(key, prefix)),
      sign: (hash) => {
        const { signature, recid } = secp256k1.sign(hash, key);
        return concatBytes(signature, Uint8Array.of(recid));
      },
    };
  });
}
