import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import secp256k1 from 'secp256k1';
import t from 'tap';
import type { RejectedBlock } from '../../../src/chain/rejected-blocks.js';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionResultContractResult as ContractResult,
  TransactionInfo,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { NodeMetrics } from '../../../src/node/metrics/node-metrics.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';
import { storeName } from '../../../src/projections/state/stores.js';
import {
  type DecodedBlock,
  decodeBlock,
  merkleRoot,
  toDecodedBlock,
} from '../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../src/state-transition/block/encoded-block.js';
import { activeWitnesses } from '../../../src/state-transition/consensus/schedule.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'tvm-forks-14-shanghai');
const keys = new Map(
  Object.entries(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<string, string>).map(
    ([address, key]) => [toHex(decodeBase58Check(address)!), fromHex(key)],
  ),
);

/** Returns the block with its header signed by its witness. */
function signed(message: Block): DecodedBlock {
  const raw = message.blockHeader!.rawData!;
  raw.txTrieRoot = merkleRoot(message.transactions);
  const key = keys.get(toHex(raw.witnessAddress))!;
  const { signature, recid } = secp256k1.ecdsaSign(headerHash(raw), key);
  message.blockHeader!.witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  return toDecodedBlock(Block.decode(Block.encode(message)));
}

function childOf(parent: DecodedBlock, witness: Uint8Array): DecodedBlock {
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(parent.number + 1),
    parentHash: parent.id,
    timestamp: BigInt(parent.timeMs + 3000),
    version: parent.raw.version,
    witnessAddress: witness,
  });
  return signed(Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData }) }));
}

/** Changes the result codes of `count` successful calls in a block. Returns the indexes of their transactions. */
function alterMarks({ transactions }: Block, count: number): number[] {
  const altered: number[] = [];
  for (const [at, { ret }] of transactions.entries()) {
    const [first] = ret;
    if (altered.length === count || first?.contractRet !== ContractResult.SUCCESS) continue;
    transactions[at]!.ret = [Object.assign(new TransactionResult(), first, { contractRet: ContractResult.REVERT })];
    altered.push(at);
  }
  return altered;
}

const isCall = ({ contractType }: { contractType: number }): boolean => contractType === 30 || contractType === 31;

t.test('rejects, stores and counts a signed block with mismatched results', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(folder, dataDir);
  t.teardown(() => chain.ledger.close());
  const metrics = new NodeMetrics({
    chain,
    log: silent,
    dataDir,
    hasMeters: false,
    sinks: undefined,
    release: '4.7.2',
    role: 'full',
  });
  t.teardown(() => metrics.close());
  const reasons: string[] = [];
  chain.listeners.add({ outdated: (reason) => reasons.push(reason) });
  let real: DecodedBlock | undefined;
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (num === 0 || block === undefined) continue;
    const decoded = decodeBlock(fromHex(block));
    const ended = decoded.transactions.filter(
      (one) => isCall(one) && one.message.ret[0]?.contractRet === ContractResult.SUCCESS,
    );
    if (decoded.transactions.every(isCall) && ended.length >= 2) {
      real = decoded;
      break;
    }
    chain.importBlock(decoded);
  }
  await chain.ledger.flush();
  const { digest, headNumber } = chain.ledger.position;
  const counted = async (): Promise<number | undefined> => {
    const metric = (await metrics.snapshot()).find(({ name }) => name === 'tronicle_block_differs_total');
    return metric?.values[0]?.value;
  };
  t.equal(await counted(), 0);

  const message = Block.decode(real!.bytes);
  const altered = alterMarks(message, 2);
  const block = signed(message);
  t.throws(() => chain.importBlock(block), {
    code: 'ReceiptCheckErrException',
    message: /expect: REVERT, actual: SUCCESS/,
  });
  t.equal(chain.ledger.position.headNumber, headNumber, 'the head is unchanged');
  const [file = '', ...others] = readdirSync(join(dataDir, 'rejected-blocks'));
  t.same(others, []);
  const report = JSON.parse(readFileSync(join(dataDir, 'rejected-blocks', file), 'utf8')) as RejectedBlock;
  t.match(report, {
    number: block.number,
    id: block.idHex,
    witness: block.witness,
    parentDigest: toHex(digest),
    exception: 'ReceiptCheckErrException',
    block: toHex(block.bytes),
  });
  t.equal(report.transactions.length, block.transactions.length);
  for (const [at, { id, mark, result, info }] of report.transactions.entries()) {
    t.equal(id, block.transactions[at]!.idHex);
    t.same([mark !== result, altered.includes(at)], [altered.includes(at), altered.includes(at)]);
    t.equal(toHex(TransactionInfo.decode(fromHex(info)).id), id);
  }
  t.equal(await counted(), 1);
  t.throws(() => chain.importBlock(block), { code: 'ReceiptCheckErrException' });
  t.equal(await counted(), 1, 'the block is counted once');

  // Applies the valid block. Except for a few rows, it must write the rows that the report contains.
  chain.importBlock(real!);
  const changes = chain.ledger.changes(chain.ledger.block(real!.number)!.seq)!;
  const own = new Map(report.rows.map((row) => [`${row.store} ${row.key}`, row.after]));
  const stored = changes.rows.filter(({ store, key, after }) => {
    const found = own.get(`${storeName(store)} ${toHex(key)}`);
    return found === (after === undefined ? null : toHex(after));
  });
  // A few rows contain the block id, which differs between the valid and the changed block.
  t.ok(
    stored.length >= changes.rows.length - 5 && stored.length > 10,
    `${stored.length} of ${changes.rows.length} rows`,
  );

  // The active witnesses build on the rejected block, one after the other. Blocks without a valid signature are not
  // counted as support.
  const active = activeWitnesses(chain.state).filter((witness) => keys.has(witness));
  t.equal(active.length, activeWitnesses(chain.state).length);
  let parent = block;
  const limit = Math.floor((active.length * 7) / 10) + 1;
  const builders = active.filter((witness) => witness !== block.witness);
  const forged = childOf(parent, addressBytes(builders[0]!));
  const unsigned = Block.decode(forged.bytes);
  unsigned.blockHeader!.witnessSignature = new Uint8Array(65);
  for (let at = 0; at < limit; at++)
    t.throws(() => chain.importBlock(toDecodedBlock(Block.decode(Block.encode(unsigned)))), 'an unlinked block');
  for (const [at, witness] of builders.slice(0, limit - 1).entries()) {
    t.equal(reasons.length, 0, `${at + 1} of ${active.length} witnesses`);
    parent = childOf(parent, addressBytes(witness));
    t.throws(() => chain.importBlock(parent), 'an unlinked block');
  }
  t.match(reasons, [`${limit} of ${active.length} active witnesses build on block ${block.number} (${block.idHex})`]);
});

t.test('rejects a block without the signature of its witness and does not store it', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(folder, dataDir);
  t.teardown(() => chain.ledger.close());
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (num === 0 || block === undefined) continue;
    const message = Block.decode(fromHex(block));
    if (alterMarks(message, 1).length === 0 || !decodeBlock(fromHex(block)).transactions.every(isCall)) {
      chain.importBlock(decodeBlock(fromHex(block)));
      continue;
    }
    const raw = message.blockHeader!.rawData!;
    raw.txTrieRoot = merkleRoot(message.transactions);
    t.throws(() => chain.importBlock(toDecodedBlock(message)), { code: 'ReceiptCheckErrException' });
    break;
  }
  t.notOk(existsSync(join(dataDir, 'rejected-blocks')));
});
