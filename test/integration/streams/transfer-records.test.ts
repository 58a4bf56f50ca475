import { join } from 'node:path';
import t from 'tap';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { logMoves } from '../../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import type { EventOptions, TransferOptions } from '../../../src/streams/records/event-options.js';
import type { EventRecord } from '../../../src/streams/records/event-record.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { balancesIn } from '../../../src/streams/records/transfers/balance-changes.js';
import { ALL_TRANSFERS } from '../../../src/streams/records/transfers/transfer-event.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { eachItem } from '../../support/log/each-item.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

interface TransferEvent {
  readonly blockNumber: number;
  readonly removed: boolean;
  readonly finality: string;
  readonly index: number;
  readonly kind: string;
  readonly token: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
  readonly decimals: number | null;
  readonly symbol: string | null;
  readonly contractType: string | null;
  readonly result: string | null;
}

/** Height of the newest solidified block with movements. The next two blocks are not solidified. */
const LAST = 331;

const folder = join(golden, 'stake');
const chain = await openRecorded(folder, temporaryFolder(t));
t.teardown(() => chain.ledger.close());
for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz')))
  if (num > 0 && num <= LAST && block !== undefined) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
await chain.ledger.flush();
const { ledger, state } = chain;
const { blackhole } = state.rules;

function makerOf(finality: EventOptions['finality'], options: Partial<TransferOptions> = {}): RecordMaker {
  const transfer = { ...ALL_TRANSFERS, ...options };
  const sink = { ...kafkaSink('unused:1'), topics: ['transfer' as const], finality: finality ?? 'applied', transfer };
  const form = { addressPrefix: 0x41, blackhole, parsesContracts: true, laterTriggers: false };
  return new RecordMaker({ ledger, sink, book: undefined, ...form });
}

const eventOf = ({ payload }: EventRecord): TransferEvent => JSON.parse(String(payload)) as TransferEvent;

async function solidified(options: Partial<TransferOptions> = {}): Promise<{ key: string; event: TransferEvent }[]> {
  const maker = makerOf('solidified', options);
  const found: { key: string; event: TransferEvent }[] = [];
  for await (const block of eachItem(solidifiedBlocks({ ledger, follow: false })))
    found.push(...maker.recordsOf(block).records.map((record) => ({ key: record.key, event: eventOf(record) })));
  return found;
}

t.test('sends one record per movement, with genesis only on request', async (t) => {
  const found = await solidified();
  t.ok(found.length > 50);
  t.ok(found.every(({ event }) => event.finality === 'solidified' && event.blockNumber > 0));
  const transfer = found.find(({ event }) => event.kind === 'transfer');
  t.match(transfer?.event, { decimals: 6, symbol: 'TRX', contractType: 'TransferContract', result: 'SUCCESS' });
  const withGenesis = await solidified({ genesis: true });
  t.equal(withGenesis.filter(({ event }) => event.kind === 'genesis').length, withGenesis.length - found.length);
  t.ok(withGenesis.length > found.length);
});

t.test('keys records by recipient, sender or token', async (t) => {
  for (const { key, event } of await solidified()) t.equal(key, event.to ?? event.from);
  for (const { key, event } of await solidified({ key: 'sender' })) t.equal(key, event.from ?? event.to);
  for (const { key, event } of await solidified({ key: 'token' })) t.equal(key, event.token);
});

t.test('filters by account, token, contract type and result without changing the index of a record', async (t) => {
  const all = (await solidified()).map(({ event }) => event);
  const account = all[0]?.to ?? '';
  const selected = async (options: Partial<TransferOptions>) => (await solidified(options)).map(({ event }) => event);
  t.same(
    await selected({ account: [account] }),
    all.filter(({ from, to }) => from === account || to === account),
  );
  t.same(await selected({ token: ['1000001'] }), []);
  t.same(
    await selected({ contractType: ['FreezeBalanceContract'] }),
    all.filter(({ contractType }) => contractType === 'FreezeBalanceContract'),
  );
  t.same(await selected({ result: ['REVERT'] }), []);
});

t.test('reverts the records of reverted blocks, so that the sums are the balances', async (t) => {
  chain.rollback(LAST - 3);
  await ledger.flush();
  const maker = makerOf('applied', { genesis: true });
  const sums = new Map<string, bigint>();
  let removed = 0;
  for await (const move of eachItem(logMoves({ ledger, follow: false }))) {
    for (const record of maker.recordsOfMove(move).records) {
      const event = eventOf(record);
      if (event.removed) removed++;
      const amount = event.removed ? -BigInt(event.amount) : BigInt(event.amount);
      if (event.from !== null) sums.set(event.from, (sums.get(event.from) ?? 0n) - amount);
      if (event.to !== null) sums.set(event.to, (sums.get(event.to) ?? 0n) + amount);
    }
  }
  t.ok(removed > 0);
  for (const { account, token, amount } of balancesIn(ledger.head)) {
    t.equal(token, 'TRX');
    const address = encodeBase58Check(fromHex(account));
    t.equal(sums.get(address), amount, address);
    sums.delete(address);
  }
  t.ok([...sums.values()].every((sum) => sum === 0n));
});
