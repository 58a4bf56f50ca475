import t from 'tap';
import { BlockReader } from '../../../src/api/context/read-block.js';
import { Block, BlockHeaderRaw, TransactionRet } from '../../../src/codec/generated/messages.js';
import type { Ledger } from '../../../src/projections/ledger/ledger.js';
import { serveRecording } from '../../support/graphql/served-chain.js';

t.test('reads the same blocks part by part as in one piece', async (t) => {
  const { chain } = await serveRecording(t, 'system-tour', { until: 150 });
  const { ledger } = chain;
  const reader = new BlockReader(ledger);
  let transactions = 0;
  for (let number = 0; number <= ledger.position.headNumber; number++) {
    const entry = ledger.entryOfId(ledger.blockIdAt(number)!)!;
    const whole = Block.decode(entry.block);
    const { transactioninfo } = TransactionRet.decode(entry.results);
    const read = reader.byNumber(number)!;
    t.same(read.header, whole.blockHeader?.rawData ?? new BlockHeaderRaw(), `header of ${number}`);
    t.same(read.signature, whole.blockHeader?.witnessSignature ?? new Uint8Array(0));
    t.equal(read.transactionCount, whole.transactions.length);
    t.same(
      read.transactions.map(({ message, info, position }) => ({ message, info, position })),
      whole.transactions.map((message, index) => {
        return { message, info: transactioninfo[index], position: { number, index } };
      }),
      `transactions of ${number}`,
    );
    transactions += read.transactionCount;
  }
  t.ok(transactions > 100, `${transactions} transactions`);
});

t.test('reads a page once if a query requests it twice', async (t) => {
  const { chain } = await serveRecording(t, 'stake', { until: 120 });
  const { ledger } = chain;
  let reads = 0;
  const counting: Pick<Ledger, 'blockIdAt' | 'entryOfId'> = {
    blockIdAt: (number) => ledger.blockIdAt(number),
    entryOfId: (id) => {
      reads++;
      return ledger.entryOfId(id);
    },
  };
  const reader = new BlockReader(counting);
  for (let time = 0; time < 20; time++) for (let number = 120; number > 20; number--) reader.byNumber(number);
  t.equal(reads, 100);
});
