import type { MessageType } from '../../log/codec/descriptor.js';
import {
  Any,
  ProposalApproveContract,
  ProposalCreateContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../log/codec/generated/messages.js';
import { concatBytes, fromHex, fromInt64 } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { sha256 } from '../../log/domain/hash.js';
import { secp256k1 } from '../../log/domain/secp256k1.js';
import type { ProducerKey } from '../chain/produce-block.js';
import type { NodeConfig } from '../config/load-config.js';
import type { TronicleNode } from '../node.js';

/**
 * Cancelling of unfreezing (77), lock periods up to 30 days (78), and maintenance once an hour from then on (0). Clearing of ABIs (26),
 * brokerage (30) and stake 2.0 (70) are on by their keys, but only a proposal allows their contract types in active permissions.
 */
const PARAMETERS: readonly (readonly [id: bigint, value: bigint])[] = [
  [0n, 3_600_000n],
  [26n, 1n],
  [30n, 1n],
  [70n, 14n],
  [77n, 1n],
  [78n, 864_000n],
];

/** Blocks that must be there first: the version counts as passed with the second, and a transaction before that skips versions. */
const BLOCKS_FIRST = 3;

/**
 * Proposes and approves, as the only witness, what no key of the configuration switches on; once in the life of the network
 * (`tronicle.firstProposals`). @throws {UsageError} the node has no witness key
 */
export function proposeFirst(node: TronicleNode): void {
  const { chain, log, config } = node;
  if (!config.tronicle.firstProposals) return;
  const key = witnessKey(config);
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

function witnessKey({ witness }: NodeConfig): ProducerKey {
  const [privateKey] = witness.privateKeys;
  const { accountAddress } = witness;
  if (!witness.enabled || privateKey === undefined || accountAddress === undefined)
    throw new UsageError('Check tronicle.firstProposals, only a node that produces blocks can propose: --witness');
  return { privateKey: fromHex(privateKey), address: fromHex(accountAddress) };
}

function step(node: TronicleNode, key: ProducerKey): void {
  const { chain } = node;
  if (chain.ledger.position.headNumber < BLOCKS_FIRST || chain.pool.pending.size > 0) return;
  const count = chain.state.properties.get('LATEST_PROPOSAL_NUM');
  if (count === 0n) {
    const create = Object.assign(new ProposalCreateContract(), {
      ownerAddress: key.address,
      parameters: new Map(PARAMETERS),
    });
    node.submit(signed(node, key, 16, ProposalCreateContract, create));
    return;
  }
  const proposal = [...chain.state.proposals.range()].at(-1)?.[1];
  if (proposal === undefined || proposal.approvals.length > 0) return;
  const approve = Object.assign(new ProposalApproveContract(), {
    ownerAddress: key.address,
    proposalId: count,
    isAddApproval: true,
  });
  node.submit(signed(node, key, 17, ProposalApproveContract, approve));
}

function signed<T>(
  node: TronicleNode,
  key: ProducerKey,
  type: number,
  message: MessageType<T>,
  contract: T,
): Transaction {
  const { headNumber, headId } = node.chain.ledger.position;
  const head = node.chain.state.properties.get('latest_block_header_timestamp');
  const parameter = Object.assign(new Any(), {
    typeUrl: `type.googleapis.com/${message.$name}`,
    value: message.encode(contract),
  });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
    refBlockHash: headId.subarray(8, 16),
    expiration: head + 60_000n,
    timestamp: head,
    contract: [Object.assign(new TransactionContract(), { type, parameter })],
  });
  const { signature, recid } = secp256k1.sign(sha256(TransactionRaw.encode(rawData)), key.privateKey);
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
