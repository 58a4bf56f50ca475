import t from 'tap';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../../src/codec/generated/messages.js';
import type { HeaderCheck } from '../../../../src/p2p/local-chain.js';
import { P2pError } from '../../../../src/p2p/p2p-error.js';
import { checkBlock, decideAnnounced, storedCopyOf } from '../../../../src/p2p/receive/block-rules.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { type DecodedBlock, toDecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { releaseNamed } from '../../../../src/state-transition/releases/index.js';

const NOW_MS = 100_000;
const older = releaseNamed('4.7.2')!;
const later = releaseNamed('4.8.2')!;
const good: HeaderCheck = { isLinked: true, isLow: false, isActive: true, signatureFault: undefined };
const unsigned: HeaderCheck = { ...good, signatureFault: new P2pError('BLOCK_SIGN_ERROR', 'valid signature failed.') };

function blockWith(raw: Partial<BlockHeaderRaw> = {}): DecodedBlock {
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: 3n,
    timestamp: BigInt(NOW_MS),
    parentHash: new Uint8Array(32),
    txTrieRoot: new Uint8Array(32),
    ...raw,
  });
  return toDecodedBlock(Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData }) }));
}

const late = { timestamp: BigInt(NOW_MS + 1001) };
const otherRoot = { txTrieRoot: new Uint8Array(32).fill(9) };

t.test('reports the first error in the order of the release', async (t) => {
  type Case = readonly [
    what: string,
    raw: Partial<BlockHeaderRaw>,
    judgement: HeaderCheck,
    inOlder: string,
    inLater: string,
  ];
  const cases: readonly Case[] = [
    ['a valid block', {}, good, 'first', 'first'],
    ['one second ahead of the clock', { timestamp: BigInt(NOW_MS + 1000) }, good, 'first', 'first'],
    ['too far ahead of the clock', late, good, 'valid BAD_BLOCK', 'valid BAD_BLOCK'],
    ['signed by another account', {}, unsigned, 'valid BLOCK_SIGN_ERROR', 'valid BLOCK_SIGN_ERROR'],
    ['another Merkle root, which 4.7.2 detects only at the push', otherRoot, good, 'first', 'valid BLOCK_MERKLE_ERROR'],
    ['too far ahead, with another Merkle root', { ...late, ...otherRoot }, good, 'valid BAD_BLOCK', 'valid BAD_BLOCK'],
    [
      'another Merkle root, signed by another account',
      otherRoot,
      unsigned,
      'valid BLOCK_SIGN_ERROR',
      'valid BLOCK_MERKLE_ERROR',
    ],
    ['a Merkle root of 31 bytes', { txTrieRoot: new Uint8Array(31) }, good, 'first', 'valid IllegalArgumentException'],
    ['of an inactive witness', {}, { ...good, isActive: false }, 'afterwards', 'inactive'],
    ['with an unknown parent', {}, { ...good, isLinked: false }, 'unlinked', 'unlinked'],
    [
      'with an unknown parent, signed by another account',
      {},
      { ...unsigned, isLinked: false },
      'unlinked',
      'valid BLOCK_SIGN_ERROR',
    ],
    ['below the head', {}, { ...good, isLow: true }, 'low', 'low'],
    ['below the head, signed by another account', {}, { ...unsigned, isLow: true }, 'low', 'valid BLOCK_SIGN_ERROR'],
    [
      'a parent hash of 31 bytes',
      { parentHash: new Uint8Array(31) },
      { ...good, isLinked: false },
      'parent IllegalArgumentException',
      'parent IllegalArgumentException',
    ],
  ];
  for (const [what, raw, judgement, inOlder, inLater] of cases) {
    for (const [release, expected] of [
      [older, inOlder],
      [later, inLater],
    ] as const) {
      const ruling = decideAnnounced(blockWith(raw), judgement, release, NOW_MS);
      const found =
        ruling.kind === 'refused'
          ? `${ruling.at} ${ruling.error.code}`
          : ruling.kind === 'dropped'
            ? ruling.why
            : ruling.isFirst
              ? 'first'
              : 'afterwards';
      t.equal(found, expected, `${what}, by ${release.name}`);
    }
  }
});

t.test('rejects a block three seconds ahead or larger than the network limit', async (t) => {
  checkBlock(blockWith({ timestamp: BigInt(NOW_MS + 2999) }), NOW_MS);
  t.throws(() => checkBlock(blockWith({ timestamp: BigInt(NOW_MS + 3000) }), NOW_MS), { code: 'BAD_MESSAGE' });
  const sized = (bytes: number): DecodedBlock => {
    const block = blockWith();
    const message = Block.decode(block.bytes);
    message.$unknown = new Uint8Array(bytes - block.bytes.length);
    return toDecodedBlock(message, block.bytes);
  };
  checkBlock(sized(2_001_000), NOW_MS);
  t.throws(() => checkBlock(sized(2_001_001), NOW_MS), { code: 'BAD_MESSAGE', message: 'block size over limit' });
});

t.test('drops unknown fields of a block and its header in 4.8.2', async (t) => {
  const plain = blockWith();
  const message = Block.decode(plain.bytes);
  message.$unknown = fromHex('980601');
  message.blockHeader!.$unknown = fromHex('980601');
  const padded = toDecodedBlock(message);
  t.equal(storedCopyOf(padded, older), padded);
  t.same(storedCopyOf(padded, later).bytes, plain.bytes);
  t.equal(storedCopyOf(plain, later), plain, 'a block without unknown fields is unchanged');
});
