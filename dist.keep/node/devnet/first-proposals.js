import secp256k1 from 'secp256k1';
import { Any, ProposalApproveContract, ProposalCreateContract, Transaction, TransactionContract, TransactionRaw, } from '../../log/codec/generated/messages.js';
import { concatBytes, fromHex, fromInt64 } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { sha256 } from '../../log/domain/hash.js';
/** Cancelling of unfreezing (77), lock periods up to 30 days (78), and maintenance once an hour from then on (0). */
const PARAMETERS = [
    [0n, 3600000n],
    [77n, 1n],
    [78n, 864000n],
];
/** Blocks that must be there first: the version counts as passed with the second, and a transaction before that skips versions. */
const BLOCKS_FIRST = 3;
/**
 * Proposes and approves, as the only witness, what no key of the configuration switches on; once in the life of the network
 * (`tronicle.firstProposals`). @throws {UsageError} the node has no witness key
 */
export function proposeFirst(node) {
    const { chain, log, config } = node;
    if (!config.tronicle.firstProposals)
        return;
    const key = witnessKey(config);
    const { properties } = chain.state;
    const isDone = () => properties.isOn('ALLOW_CANCEL_ALL_UNFREEZE_V2');
    if (isDone())
        return;
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
function witnessKey({ witness }) {
    const [privateKey] = witness.privateKeys;
    const { accountAddress } = witness;
    if (!witness.enabled || privateKey === undefined || accountAddress === undefined)
        throw new UsageError('Check tronicle.firstProposals, only a node that produces blocks can propose: --witness');
    return { privateKey: fromHex(privateKey), address: fromHex(accountAddress) };
}
function step(node, key) {
    const { chain } = node;
    if (chain.ledger.position.headNumber < BLOCKS_FIRST || chain.pool.pending.size > 0)
        return;
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
    if (proposal === undefined || proposal.approvals.length > 0)
        return;
    const approve = Object.assign(new ProposalApproveContract(), {
        ownerAddress: key.address,
        proposalId: count,
        isAddApproval: true,
    });
    node.submit(signed(node, key, 17, ProposalApproveContract, approve));
}
function signed(node, key, type, message, contract) {
    const { headNumber, headId } = node.chain.ledger.position;
    const head = node.chain.state.properties.get('latest_block_header_timestamp');
    const parameter = Object.assign(new Any(), {
        typeUrl: `type.googleapis.com/${message.$name}`,
        value: message.encode(contract),
    });
    const rawData = Object.assign(new TransactionRaw(), {
        refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
        refBlockHash: headId.subarray(8, 16),
        expiration: head + 60000n,
        timestamp: head,
        contract: [Object.assign(new TransactionContract(), { type, parameter })],
    });
    const { signature, recid } = secp256k1.ecdsaSign(sha256(TransactionRaw.encode(rawData)), key.privateKey);
    return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
//# sourceMappingURL=first-proposals.js.map