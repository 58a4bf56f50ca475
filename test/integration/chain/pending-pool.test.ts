import t, { type Test } from 'tap';
import {
  AccountPermissionUpdateContract,
  TransactionContractContractType as ContractType,
  Key,
  Permission,
  type Transaction,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { byPayer, payee, payer, transfer } from '../../support/peers/transfer.js';

const open = (t: Test, release: string, more = ''): Promise<PeerNode> =>
  PeerNode.open(t, { more: `tronicle.release = "${release}"\n${more}` });

function offer({ node }: PeerNode, message: Transaction): string {
  try {
    node.chain.mempool.validateAndAdd(decodeTransaction(message));
  } catch (error) {
    if (error instanceof ChainError) return error.exception;
    throw error;
  }
  return 'accepted';
}

const MULTI_SIGN = 'committee.allowMultiSign = 1';

/** Returns a permission update that gives all permissions of the payer to the recipient's key. */
function handOver(node: PeerNode): Transaction {
  const keys = [Object.assign(new Key(), { address: payee, weight: 1n })];
  const owner = Object.assign(new Permission(), { type: 0, threshold: 1n, keys });
  const active = Object.assign(new Permission(), { type: 2, threshold: 1n, keys, operations: new Uint8Array(32) });
  const update = Object.assign(new AccountPermissionUpdateContract(), {
    ownerAddress: payer,
    owner,
    actives: [active],
  });
  return byPayer(node, 'AccountPermissionUpdateContract', AccountPermissionUpdateContract.encode(update));
}

t.test('rejects a transaction that expires before the next slot under 4.8.2', async (t: Test) => {
  for (const [release, expected] of [
    ['4.7.2', 'ValidateSignatureException'],
    ['4.8.2', 'TransactionExpirationException'],
  ] as const) {
    const node = await open(t, release);
    // Two slots stay empty after the first block, because it is a maintenance block. So the test starts after the
    // second block.
    await node.produce(2);
    const ending = transfer(node, 1n);
    const head = node.node.chain.state.properties.get('latest_block_header_timestamp');
    ending.rawData!.expiration = head + 2_999n;
    t.equal(offer(node, ending), expected, `${release}: a transaction that expires 1 ms before the next slot`);
    t.equal(offer(node, transfer(node, 2n)), 'accepted');
  }
});

t.test('drops surplus results of a broadcast under 4.8.2', async (t: Test) => {
  for (const [release, kept] of [
    ['4.7.2', 2],
    ['4.8.2', 1],
  ] as const) {
    const node = await open(t, release);
    await node.produce(2);
    const message = transfer(node, 1n);
    message.ret = [new TransactionResult(), new TransactionResult()];
    t.equal(offer(node, message), 'accepted');
    const [pending] = [...node.node.chain.mempool.pending.values()];
    t.equal(pending?.transaction.message.ret.length, kept, release);
  }
});

t.test('rejects a shielded transfer under 4.8.2, and ignores it silently before', async (t: Test) => {
  for (const [release, expected] of [
    ['4.7.2', 'accepted'],
    ['4.8.2', 'ContractValidateException'],
  ] as const) {
    const node = await open(t, release, 'node.fullNodeAllowShieldedTransaction = false');
    await node.produce(2);
    const message = transfer(node, 1n);
    message.rawData!.contract[0]!.type = ContractType.ShieldedTransferContract;
    message.rawData!.contract[0]!.parameter!.typeUrl = 'type.googleapis.com/protocol.ShieldedTransferContract';
    t.equal(offer(node, message), expected, release);
    t.equal(node.node.chain.mempool.pending.size, 0, release);
  }
});

// Found by a comparison with java-tron (random-chains). Transactions stayed pending or were packed after the signing
// key had lost its permission.
t.test('checks pending transactions again after a block changes the permissions of their owner', async (t: Test) => {
  for (const [release, count] of [
    ['4.7.2', 1],
    ['4.8.2', 0],
  ] as const) {
    const [ours, theirs] = [await open(t, release, MULTI_SIGN), await open(t, release, MULTI_SIGN)];
    const [first] = await ours.produce(1);
    theirs.node.chain.importBlock(first!);
    t.equal(offer(ours, transfer(ours, 1n)), 'accepted');
    t.equal(offer(theirs, handOver(theirs)), 'accepted');
    const [block] = await theirs.produce(1);
    t.equal(block!.transactions.length, 1);
    ours.node.chain.importBlock(block!);
    ours.node.chain.mempool.reinject();
    t.equal(ours.node.chain.mempool.pending.size, count, `${release}: pending until 4.8.2, then deleted`);
    t.equal(ours.make().transactions.length, 0, 'the transaction is not packed');
  }
});
