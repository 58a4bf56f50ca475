import secp256k1 from 'secp256k1';
import t, { type Test } from 'tap';
import { Block } from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { toAddress } from '../../../src/primitives/address.js';
import { concatBytes, fromHex } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock, merkleRoot } from '../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../src/state-transition/block/encoded-block.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { keys, PeerNode } from '../../support/peers/peer-node.js';
import { transfer } from '../../support/peers/transfer.js';

const RELEASES = ['4.7.2', '4.8.2'];
const open = (t: Test, release: string): Promise<PeerNode> =>
  PeerNode.open(t, { more: `tronicle.release = "${release}"` });

/** Returns the block with another signature. Its id stays the same, because the id does not depend on the signature. */
function missigned(block: DecodedBlock): DecodedBlock {
  const message = Block.decode(block.bytes);
  message.blockHeader!.witnessSignature.fill(1, 0, 8);
  return decodeBlock(Block.encode(message));
}

/** Returns the block with another signature of its first transaction. The witness signs the block again. */
function withSignature(block: DecodedBlock, change: (signature: Uint8Array) => Uint8Array): DecodedBlock {
  const message = Block.decode(block.bytes);
  const header = message.blockHeader!;
  const [first] = message.transactions;
  first!.signature = first!.signature.map(change);
  header.rawData!.txTrieRoot = merkleRoot(message.transactions);
  const witness = Object.keys(keys).find((text) => toAddress(decodeBase58Check(text)!) === block.witness)!;
  const { signature, recid } = secp256k1.ecdsaSign(headerHash(header.rawData!), fromHex(keys[witness]!));
  header.witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  return decodeBlock(Block.encode(message));
}

function refusal({ node }: PeerNode, block: DecodedBlock): string | undefined {
  try {
    node.chain.importBlock(block);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return `${error.exception}: ${error.text}`;
  }
  return undefined;
}

t.test('verifies block signatures again on a reorg under 4.8.2', async (t: Test) => {
  for (const release of RELEASES) {
    const [ours, theirs] = [await open(t, release), await open(t, release)];
    const [first] = await ours.produce(1);
    theirs.node.chain.importBlock(first!);
    await ours.produce(1);
    const { head } = ours;
    const [second, third] = await theirs.produce(2, 1);
    t.equal(refusal(ours, second!), undefined, 'a branch that is not longer than the canonical one');
    t.equal(ours.head, head);
    const refused = 'ValidateSignatureException: switch fork: block 3 signature invalid';
    t.equal(refusal(ours, missigned(third!)), release === '4.8.2' ? refused : undefined, release);
    t.equal(
      ours.head,
      release === '4.8.2' ? head : third!.idHex,
      'the old branch is restored, or the other branch becomes canonical',
    );
  }
});

t.test('reuses a signature check only for the same signature under 4.8.2', async (t: Test) => {
  for (const release of RELEASES) {
    const [ours, theirs] = [await open(t, release), await open(t, release)];
    const [first] = await ours.produce(1);
    theirs.node.chain.importBlock(first!);
    const payment = decodeTransaction(transfer(ours, 1n));
    ours.node.chain.mempool.add(payment);
    theirs.node.chain.mempool.add(payment);
    const block = theirs.make();
    t.equal(block.transactions.length, 1);
    const isVerified = ours.node.chain.mempool.alreadyVerified();
    t.ok(isVerified(block.transactions[0]!), 'verified with the same signature');
    const other = withSignature(block, (signature) => signature.fill(1, 0, 8));
    t.equal(isVerified(other.transactions[0]!), release === '4.7.2', release);
    const reason = refusal(ours, other);
    if (release === '4.7.2') t.equal(reason, undefined, 'accepted without a second check');
    else t.match(reason, /^ValidateSignatureException/);
  }
});

t.test('verifies transactions again after a permission change of their owner under 4.8.2', async (t: Test) => {
  for (const release of RELEASES) {
    const { node } = await open(t, release);
    const payment = decodeTransaction(transfer({ node } as PeerNode, 1n));
    node.chain.mempool.add(payment);
    t.ok(node.chain.mempool.alreadyVerified()(payment));
    // Simulates a block with a permission update of this owner. A real one would also remove the transaction from the
    // mempool.
    node.chain.mempool.changedOwners.add(payment.owner);
    t.equal(node.chain.mempool.alreadyVerified()(payment), release === '4.7.2', release);
  }
});

t.test('uses the first 65 bytes of a block signature', async (t: Test) => {
  for (const release of RELEASES) {
    const [ours, theirs] = [await open(t, release), await open(t, release)];
    const [first] = await ours.produce(1);
    theirs.node.chain.importBlock(first!);
    theirs.node.chain.mempool.add(decodeTransaction(transfer(theirs, 1n)));
    const block = theirs.make();
    const short = withSignature(block, (signature) => signature.subarray(0, 64));
    t.match(refusal(ours, short), /^ValidateSignatureException|^SignatureFormatException/, `${release}: 64 bytes`);
    const long = withSignature(block, (signature) => concatBytes(signature, new Uint8Array(5).fill(7)));
    t.equal(refusal(ours, long), undefined, `${release}: 70 bytes`);
    t.equal(ours.head, long.idHex);
  }
});
