import t, { type Test } from 'tap';
import { type Transaction, TransferContract } from '../../../src/codec/generated/messages.js';
import { toAddress } from '../../../src/primitives/address.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { idOf } from '../../support/node/signed-block.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { byPayer, payee, payer } from '../../support/peers/transfer.js';
import { INFINITY_ADDRESS, infinitySignature } from '../../support/signatures/infinity-signature.js';

const OWNER = fromHex(INFINITY_ADDRESS);
const RELEASES = ['4.7.2', '4.8.2'];
const MILLION = 1_000_000n;

function payment(node: PeerNode, ownerAddress: Uint8Array, toAddress: Uint8Array, amount: bigint): Transaction {
  const value = TransferContract.encode(Object.assign(new TransferContract(), { ownerAddress, toAddress, amount }));
  return byPayer(node, 'TransferContract', value);
}

t.test('applies a block with a transaction that the point at infinity signed', async (t: Test) => {
  for (const release of RELEASES) {
    const open = () => PeerNode.open(t, { more: `tronicle.release = "${release}"` });
    const [ours, theirs] = [await open(), await open()];
    ours.node.chain.mempool.add(decodeTransaction(payment(ours, payer!, OWNER, 10n * MILLION)));
    const [funding] = await ours.produce(1);
    const spend = payment(ours, OWNER, payee!, MILLION);
    spend.signature = [infinitySignature(idOf(spend), 42n)];
    ours.node.chain.mempool.add(decodeTransaction(spend));
    const [block] = await ours.produce(1);
    t.equal(block!.transactions.length, 1, 'the transaction is in the block');
    for (const each of [funding, block]) theirs.node.chain.importBlock(each!);
    t.equal(theirs.head, block!.idHex, release);
    t.equal(theirs.node.chain.state.account(toAddress(OWNER))?.balance, 9n * MILLION);
  }
});
