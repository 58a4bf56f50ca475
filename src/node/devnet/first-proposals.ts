import type { ProducerKey } from '../../chain/production/produce-block.js';
import { ProposalApproveContract, ProposalCreateContract } from '../../codec/generated/messages.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { signTransaction, witnessKey } from './sign-transaction.js';

/**
 * Cancelling of unfreezing (77), lock periods up to 30 days (78), and maintenance once an hour from then on (0).
 * Clearing of ABIs (26), brokerage (30) and stake 2.0 (70) are on by their keys, but only a proposal allows their
 * contract types in active permissions.
 */
const PARAMETERS: readonly (readonly [id: bigint, value: bigint])[] = [
  [0n, 3_600_000n],
  [26n, 1n],
  [30n, 1n],
  [70n, 14n],
  [77n, 1n],
  [78n, 864_000n],
];

/**
 * Blocks that must be there first: the version counts as passed with the second, and a transaction before that skips
 * versions.
 */
const BLOCKS_FIRST = 3;

/**
 * Proposes and approves, as the only witness, what no key of the configuration switches on; once in the life of the
 * network (`tronicle.firstProposals`). @throws {UsageError} the node has no witness key
 */
export function proposeFirst(node: TronicleNode): void {
  const { chain, log, config } = node;
  if (!config.tronicle.firstProposals) return;
  const key = witnessKey(config, 'tronicle.firstProposals');
  const { properties } = chain.state;
  const isDone = (): boolean => properties.isOn('ALLOW_CANCEL_ALL_UNFREEZE_V2');
  if (isDone()) return;
  const listener = {
    applied: () => {
      // The head's listeners hear of a block before what waits is offered again: submit in a turn of its own.
      setImmediate(() => {
        if (isDone()) {
          chain.listeners.delete(listener);
          log.info('all proposals are in force');
          return;
        }
        step(node, key);
      });
    },
  };
  chain.listeners.add(listener);
}

function step(node: TronicleNode, key: ProducerKey): void {
  const { chain } = node;
  if (chain.ledger.position.headNumber < BLOCKS_FIRST || chain.mempool.pending.size > 0) return;
  const count = chain.state.properties.get('LATEST_PROPOSAL_NUM');
  if (count === 0n) {
    const create = Object.assign(new ProposalCreateContract(), {
      ownerAddress: key.address,
      parameters: new Map(PARAMETERS),
    });
    node.submit(signTransaction(node, key, { type: 'ProposalCreateContract', contract: create }));
    return;
  }
  const proposal = [...chain.state.proposals.range()].at(-1)?.[1];
  if (proposal === undefined || proposal.approvals.length > 0) return;
  const approve = Object.assign(new ProposalApproveContract(), {
    ownerAddress: key.address,
    proposalId: count,
    isAddApproval: true,
  });
  node.submit(signTransaction(node, key, { type: 'ProposalApproveContract', contract: approve }));
}
