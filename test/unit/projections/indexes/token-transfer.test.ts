import t from 'tap';
import { Transaction, TransactionInfo, TransactionInfoLog } from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { fromHex, utf8 } from '../../../../src/primitives/bytes.js';
import { transfersOf } from '../../../../src/projections/indexes/token-transfer.js';

const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');
const party = (digit: string): string => digit.repeat(40).padStart(64, '0');
const [OPERATOR, SENDER, RECEIVER] = ['a', 'b', 'c'].map(party) as [string, string, string];
const SINGLE = 'TransferSingle(address,address,address,uint256,uint256)';
const BATCH = 'TransferBatch(address,address,address,uint256[],uint256[])';

/** Returns the transfers of a transaction that has one event. */
function partsOf(event: string, parties: readonly string[], data: string) {
  const log = Object.assign(new TransactionInfoLog(), {
    address: fromHex('77'.repeat(20)),
    topics: [keccak256(utf8(event)), ...parties.map(fromHex)],
    data: fromHex(data),
  });
  const info = Object.assign(new TransactionInfo(), { log: [log] });
  const message = new Transaction();
  return transfersOf({ message, contract: undefined, parameter: undefined, info, internal: [] }, 0x41);
}

const ends = { token: `41${'77'.repeat(20)}`, from: `41${'bb'.repeat(20)}`, to: `41${'cc'.repeat(20)}` };
const huge = (1n << 256n) - 1n;

t.test('recognises TRC20 and TRC721 transfers', async (t) => {
  const transfer = 'Transfer(address,address,uint256)';
  t.same(partsOf(transfer, [SENDER, RECEIVER], word(9)), [{ kind: 'TRC20', ...ends, amount: '9' }]);
  t.same(partsOf(transfer, [SENDER, RECEIVER, word(9)], ''), [{ kind: 'TRC721', ...ends, amount: '9' }]);
  t.same(partsOf(transfer, [SENDER, RECEIVER], `${word(9)}00`), []);
  t.same(partsOf(transfer, [SENDER], word(9)), []);
});

t.test('recognises TRC1155 transfers of one or several tokens', async (t) => {
  const parties = [OPERATOR, SENDER, RECEIVER];
  t.same(partsOf(SINGLE, parties, word(5) + word(huge)), [{ kind: 'TRC1155', ...ends, amount: String(huge), id: '5' }]);
  const lists = (ids: readonly number[], amounts: readonly number[]): string =>
    [64, 96 + 32 * ids.length, ids.length, ...ids, amounts.length, ...amounts].map(word).join('');
  t.same(partsOf(BATCH, parties, lists([1, 2], [10, 20])), [
    { kind: 'TRC1155', ...ends, amount: '10', id: '1' },
    { kind: 'TRC1155', ...ends, amount: '20', id: '2' },
  ]);
  t.same(partsOf(BATCH, parties, lists([], [])), []);
  t.same(partsOf(BATCH, parties, lists([1, 2], [10])), [], 'lists of different lengths');
  t.same(partsOf(BATCH, parties, word(huge) + word(64)), [], 'offsets outside of the data');
  t.same(partsOf(SINGLE, parties, word(5)), [], 'truncated data');
  t.same(partsOf(SINGLE, [OPERATOR, SENDER], word(5) + word(1)), [], 'the recipient is not indexed');
});
