import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import secp256k1 from 'secp256k1';
import t from 'tap';
import type { Chain } from '../../../src/chain/chain.js';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  type Transaction,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';
import { decodeBlock, merkleRoot, toDecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../src/state-transition/block/encoded-block.js';
import { scheduledWitness, slotAt, slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'release-4.8.2', 'system-tour48');
const keys = new Map(
  Object.entries(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<string, string>).map(
    ([address, key]) => [toHex(decodeBase58Check(address)!), fromHex(key)],
  ),
);

function sign(hash: Uint8Array, address: string): Uint8Array {
  const { signature, recid } = secp256k1.ecdsaSign(hash, keys.get(address)!);
  return concatBytes(signature, Uint8Array.of(recid));
}

/** Returns a block on top of the head. The witness of a slot produces it at the given time. */
function blockAt(
  chain: Chain,
  timeMs: number,
  slot: number,
  transactions: Transaction[] = [],
): ReturnType<typeof decodeBlock> {
  const { headNumber, headId } = chain.ledger.position;
  const witness = scheduledWitness(chain.state, slot);
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(headNumber + 1),
    parentHash: headId,
    timestamp: BigInt(timeMs),
    version: 36,
    witnessAddress: addressBytes(witness),
    txTrieRoot: merkleRoot(transactions),
  });
  const witnessSignature = sign(headerHash(rawData), witness);
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature });
  return toDecodedBlock(Block.decode(Block.encode(Object.assign(new Block(), { blockHeader, transactions }))));
}

/** Returns a transfer of the recording with the head as its TAPOS reference and with another expiration. */
function transferUntil(chain: Chain, template: Transaction, expirationMs: number): Transaction {
  const { headNumber, headId } = chain.ledger.position;
  const message = template.clone();
  const raw = message.rawData!;
  raw.refBlockBytes = Uint8Array.of((headNumber >> 8) & 0xff, headNumber & 0xff);
  raw.refBlockHash = headId.subarray(8, 16);
  raw.expiration = BigInt(expirationMs);
  const unsigned = decodeTransaction(message);
  message.signature = [sign(unsigned.id, unsigned.owner)];
  return message;
}

t.test('enforces the slot grid and stricter transaction limits since proposal 88', async (t) => {
  const chain = await openRecorded(folder, temporaryFolder(t));
  t.teardown(() => chain.ledger.close());
  let template: Transaction | undefined;
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (num === 0 || block === undefined) continue;
    const decoded = decodeBlock(fromHex(block));
    chain.importBlock(decoded);
    const simple = decoded.transactions.find(
      ({ contractType, message, owner }) => contractType === 1 && message.signature.length === 1 && keys.has(owner),
    );
    template = simple?.message ?? template;
  }
  t.ok(chain.state.properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION'));
  const next = slotTime(chain.state, 1);
  const slot = slotAt(chain.state, next);
  const refusal = (block: ReturnType<typeof decodeBlock>): unknown => {
    try {
      chain.importBlock(block);
    } catch (error) {
      return (error as { text?: string }).text;
    }
    return undefined;
  };
  t.equal(refusal(blockAt(chain, next + 1, slot)), 'validateWitnessSchedule error', '1 ms after the start of the slot');
  t.equal(refusal(blockAt(chain, next - 3000 * 2 + 3000, 0)), 'validateWitnessSchedule error', 'before the first slot');

  const expired = transferUntil(chain, template!, next - 1);
  const late = `Transaction expiration time is ${next - 1}, but next slot time is ${next}`;
  t.equal(refusal(blockAt(chain, next, slot, [expired])), late);
  const twice = transferUntil(chain, template!, next + 60_000);
  twice.ret = [new TransactionResult(), new TransactionResult()];
  const { idHex } = decodeTransaction(twice);
  const counts = `The result count 2 of this transaction ${idHex} is greater than its contract count 1`;
  t.equal(refusal(blockAt(chain, next, slot, [twice])), counts);

  const good = transferUntil(chain, template!, next);
  good.ret = [Object.assign(new TransactionResult(), { contractRet: 1 })];
  t.equal(refusal(blockAt(chain, next, slot, [good])), undefined, 'expires at the earliest allowed time');
});
