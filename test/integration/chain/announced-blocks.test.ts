import secp256k1 from 'secp256k1';
import t, { type Test } from 'tap';
import { Block } from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { checkBlockHeader, importReceived, LedgerChain } from '../../../src/node/peers/ledger-chain.js';
import { SignaturePool } from '../../../src/node/threads/signatures/signature-pool.js';
import { P2pError } from '../../../src/p2p/p2p-error.js';
import { checkBlock, decideAnnounced, storedCopyOf } from '../../../src/p2p/receive/block-rules.js';
import { toAddress } from '../../../src/primitives/address.js';
import { concatBytes, fromHex } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../src/state-transition/block/encoded-block.js';
import { activeWitnesses } from '../../../src/state-transition/consensus/schedule.js';
import { silentLog } from '../../support/p2p/silent-log.js';
import { keys, PeerNode } from '../../support/peers/peer-node.js';
import { until } from '../../support/until.js';

const open = (t: Test, release: string): Promise<PeerNode> =>
  PeerNode.open(t, { more: `tronicle.release = "${release}"` });

/** Unknown protobuf field 99 with a value of one byte. */
const UNKNOWN = fromHex('980601');

type Change = (message: Block) => void;

/** Returns the block with changed content, signed again. @param signer account of the recording whose key signs */
function changed(block: DecodedBlock, change: Change, signer?: string): DecodedBlock {
  const message = Block.decode(block.bytes);
  change(message);
  const header = message.blockHeader!;
  if (signer !== undefined) {
    const { signature, recid } = secp256k1.ecdsaSign(headerHash(header.rawData!), fromHex(keys[signer]!));
    header.witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  }
  return decodeBlock(Block.encode(message));
}

const addressOf = (text: string): Uint8Array => decodeBase58Check(text)!;
const lateOf = (message: Block): void => {
  message.blockHeader!.rawData!.timestamp += 3000n;
};
const otherRoot = (message: Block): void => {
  message.blockHeader!.rawData!.txTrieRoot = new Uint8Array(32).fill(9);
};
const otherParent = (message: Block): void => {
  message.blockHeader!.rawData!.parentHash = new Uint8Array(32).fill(7);
};
const otherSignature = (message: Block): void => {
  message.blockHeader!.witnessSignature.fill(1, 0, 8);
};

/**
 * Processes an announced block. Returns `ok`; `dropped` and the reason; or the step that rejected it and the error
 * code.
 */
function verdict({ node }: PeerNode, received: DecodedBlock, now = received.timeMs): string {
  const { chain } = node;
  const { release } = chain.state.rules;
  let stage = 'check';
  try {
    checkBlock(received, now);
    const block = storedCopyOf(received, release);
    const ruling = decideAnnounced(block, checkBlockHeader(chain, block), release, now);
    if (ruling.kind === 'dropped') return `dropped ${ruling.why}`;
    stage = ruling.kind === 'refused' ? ruling.at : 'push';
    if (ruling.kind === 'refused') throw ruling.error;
    importReceived(chain, block);
    return 'ok';
  } catch (error) {
    if (!(error instanceof P2pError)) throw error;
    return `${stage} ${error.code}`;
  }
}

t.test('reports the defect that is checked first, for a block with two defects', async (t: Test) => {
  const old = await open(t, '4.7.2');
  const later = await open(t, '4.8.2');
  const cases: readonly (readonly [what: string, change: Change, slackMs: number, old: string, later: string])[] = [
    ['three seconds ahead of the clock', otherRoot, 3000, 'check BAD_MESSAGE', 'check BAD_MESSAGE'],
    ['two seconds ahead, with a wrong Merkle root', otherRoot, 2000, 'valid BAD_BLOCK', 'valid BAD_BLOCK'],
    ['a wrong Merkle root and a wrong signature', otherRoot, 0, 'valid BLOCK_SIGN_ERROR', 'valid BLOCK_MERKLE_ERROR'],
    ['a wrong signature and an unknown parent', otherParent, 0, 'dropped unlinked', 'valid BLOCK_SIGN_ERROR'],
    ['two seconds ahead, with an unknown parent', otherParent, 2000, 'dropped unlinked', 'valid BAD_BLOCK'],
    ['a wrong signature', otherSignature, 0, 'valid BLOCK_SIGN_ERROR', 'valid BLOCK_SIGN_ERROR'],
  ];
  for (const [what, change, slackMs, inOld, inLater] of cases) {
    for (const [node, expected] of [
      [old, inOld],
      [later, inLater],
    ] as const) {
      const block = changed(node.make(), change);
      t.equal(verdict(node, block, block.timeMs - slackMs), expected, `${what}: ${expected}`);
    }
  }
  for (const node of [old, later]) t.equal(verdict(node, node.make()), 'ok');
});

t.test('rejects blocks of an inactive witness under 4.8.2', async (t: Test) => {
  const [old, later] = [await open(t, '4.7.2'), await open(t, '4.8.2')];
  for (const node of [old, later]) await node.produce(1);
  const active = activeWitnesses(old.node.chain.state);
  const inactive = Object.keys(keys).find((address) => !active.includes(toAddress(addressOf(address))))!;
  const byInactive = (message: Block): void => {
    message.blockHeader!.rawData!.witnessAddress = addressOf(inactive);
  };
  const unlinked = (message: Block): void => {
    byInactive(message);
    otherParent(message);
  };
  t.equal(verdict(later, changed(later.make(), byInactive, inactive)), 'dropped inactive');
  t.equal(
    verdict(later, changed(later.make(), unlinked, inactive)),
    'dropped inactive',
    'the block does not start a sync',
  );
  t.equal(later.headNumber, 1);
  t.equal(verdict(old, changed(old.make(), unlinked, inactive)), 'dropped unlinked');
  t.equal(verdict(old, changed(old.make(), byInactive, inactive)), 'push BAD_BLOCK');
});

t.test('distinguishes a synced block with a wrong Merkle root from other invalid blocks', async (t: Test) => {
  for (const release of ['4.7.2', '4.8.2']) {
    const node = await open(t, release);
    await node.produce(1);
    const whole = node.make();
    const signer = Object.keys(keys).find((text) => toAddress(addressOf(text)) === whole.witness)!;
    const refusal = (block: DecodedBlock): unknown => {
      const { chain } = node.node;
      const { signatureFault } = checkBlockHeader(chain, block);
      if (signatureFault !== undefined) return signatureFault.code;
      try {
        return importReceived(chain, block);
      } catch (error) {
        return (error as P2pError).code;
      }
    };
    t.equal(refusal(changed(whole, otherRoot, signer)), 'BLOCK_MERKLE_ERROR', release);
    t.equal(refusal(changed(whole, lateOf, signer)), 'BAD_BLOCK', release);
    t.equal(refusal(changed(whole, otherSignature)), 'BLOCK_SIGN_ERROR', release);
  }
});

t.test('drops unknown fields of a block and its header under 4.8.2', async (t: Test) => {
  for (const release of ['4.7.2', '4.8.2']) {
    const node = await open(t, release);
    const { chain } = node.node;
    const plain = node.make();
    const padded = changed(plain, (message) => {
      message.$unknown = UNKNOWN;
      message.blockHeader!.$unknown = UNKNOWN;
    });
    t.equal(padded.bytes.length, plain.bytes.length + 6);
    const kept = release === '4.7.2' ? padded.bytes : plain.bytes;
    t.equal(padded.idHex, plain.idHex);
    t.same(storedCopyOf(padded, chain.state.rules.release).bytes, kept, `bytes that release ${release} forwards`);
    t.equal(storedCopyOf(plain, chain.state.rules.release), plain, 'a block without unknown fields is unchanged');
    t.equal(verdict(node, padded), 'ok');
    t.same(Block.encode(chain.storedBlock(1).message), kept, `bytes that release ${release} stores`);

    const signed = changed(node.make(), (message) => {
      message.blockHeader!.rawData!.$unknown = UNKNOWN;
    });
    t.same(storedCopyOf(signed, chain.state.rules.release).bytes, signed.bytes, 'signed bytes are unchanged');
  }
});

t.test('flushes an announced block at once, and synced blocks when the sync is idle', async (t: Test) => {
  const made = await open(t, '4.7.2');
  const { node } = made;
  const signatures = new SignaturePool({ threads: 0, addressPrefix: node.config.addressPrefix });
  const chain = new LedgerChain({
    chain: node.chain,
    signatures,
    target: node.target,
    targetReached: () => undefined,
    blockReceived: () => undefined,
    observer: node.peers.counts,
    log: silentLog,
    now: node.clock.now,
  });
  const { ledger, mempool } = node.chain;
  let offered = 0;
  mempool.reinject = () => {
    offered++;
  };
  t.same(chain.importBlock(made.make(), 'synced'), { kind: 'applied' });
  t.ok(ledger.storedSeq < ledger.position.seq, 'the synced block is not on disk yet');
  t.equal(offered, 0);
  chain.flush();
  await ledger.flush();
  t.equal(offered, 1);
  t.same(chain.importBlock(made.make(), 'announced'), { kind: 'applied' });
  t.equal(offered, 2, 'pending transactions are offered again');
  await until('the block on the disk', () => ledger.storedSeq === ledger.position.seq);
  t.pass('the block is stored without a flush call');
});
