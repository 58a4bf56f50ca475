import t, { type Test } from 'tap';
import {
  TransactionContractContractType as ContractType,
  type Transaction,
  TransactionResult,
} from '../../../../src/codec/generated/messages.js';
import { ChainError } from '../../../../src/vm/errors.js';
import { decodeTransaction } from '../../../../src/vm/transactions/decode-transaction.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { transfer } from '../../../support/peers/transfer.js';

const open = (t: Test, release: string, more = ''): Promise<PeerNode> =>
  PeerNode.open(t, { more: `tronicle.release = "${release}"\n${more}` });

function offer({ node }: PeerNode, message: Transaction): string {
  try {
    node.chain.pool.offer(decodeTransaction(message));
  } catch (error) {
    if (error instanceof ChainError) return error.exception;
    throw error;
  }
  return 'accepted';
}

t.test('D6: what is offered must outlast the next slot under 4.8.2', async (t: Test) => {
  for (const [release, expected] of [
    ['4.7.2', 'ValidateSignatureException'],
    ['4.8.2', 'TransactionExpirationException'],
  ] as const) {
    const node = await open(t, release);
    // The first block is one of maintenance, after which the next slot is later.
    await node.produce(2);
    const ending = transfer(node, 1n);
    const head = node.node.chain.state.properties.get('latest_block_header_timestamp');
    ending.rawData!.expiration = head + 2_999n;
    t.equal(offer(node, ending), expected, `${release}: one that was signed with another end`);
    t.equal(offer(node, transfer(node, 2n)), 'accepted');
  }
});

t.test('D1: surplus results of what is offered are dropped under 4.8.2', async (t: Test) => {
  for (const [release, kept] of [
    ['4.7.2', 2],
    ['4.8.2', 1],
  ] as const) {
    const node = await open(t, release);
    await node.produce(2);
    const message = transfer(node, 1n);
    message.ret = [new TransactionResult(), new TransactionResult()];
    t.equal(offer(node, message), 'accepted');
    const [waiting] = [...node.node.chain.pool.pending.values()];
    t.equal(waiting?.transaction.message.ret.length, kept, release);
  }
});

t.test('C18: a shielded transfer is refused under 4.8.2; before a key leaves it out in silence', async (t: Test) => {
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
    t.equal(node.node.chain.pool.pending.size, 0, release);
  }
});
