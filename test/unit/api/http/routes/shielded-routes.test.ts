import t from 'tap';
import type { ApiContext } from '../../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../../src/api/http/dispatch.js';
import { RememberedIds } from '../../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { toHex } from '../../../../../src/primitives/bytes.js';

/** Height of the block that contains a transaction, by the first byte of the transaction id. */
const HEIGHTS: Readonly<Record<string, number>> = { '00': 0, '01': 1, '05': 5, '69': 105, '6a': 106 };

const api = {
  settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41, bodyBytesMax: 10_000, allowsShieldedApi: true },
  view: () => ({
    transactionAt: (id: Uint8Array) => {
      const number = HEIGHTS[toHex(id.subarray(0, 1))];
      return number === undefined ? undefined : { number, index: 0 };
    },
  }),
} as unknown as ApiContext;
const dispatcher = new Dispatcher('pbft', { api, remembered: new RememberedIds(), startedMs: 0 }, []);

const id = (first: string): string => first + '00'.repeat(31);

async function vouchers(...ids: readonly string[]): Promise<string | undefined> {
  const body = JSON.stringify({ out_points: ids.map((hash) => ({ hash, index: 0 })) });
  const { body: answer } = await dispatcher.answer({
    method: 'POST',
    target: '/walletpbft/getmerkletreevoucherinfo',
    type: 'application/json',
    body: Buffer.from(body),
  });
  return /RuntimeException : ([^"]*)"/.exec(String(answer))?.[1];
}

// Reference: Wallet.getMerkleTreeVoucherInfo, recorded from java-tron.
t.test('creates no vouchers for transactions without shielded outputs', async (t) => {
  t.equal(await vouchers(id('77')), `tx is not found:${id('77')}`);
  t.equal(await vouchers(id('00')), `tx is not found:${id('00')}`, 'a transaction of the genesis block');
  t.equal(await vouchers(id('05')), 'cm not found');
  t.equal(await vouchers(id('05'), id('69')), 'cm not found');
  t.equal(await vouchers(id('05'), id('6a')), 'blockNum:5 + 100 < largeBlockNum:106');
  t.equal(await vouchers(id('6a'), id('05')), 'cm not found', 'the first transaction is checked first');
  t.equal(await vouchers(id('01')), 'treeRoot is null, blockNumber:0', 'there is no note tree before the first block');
});
