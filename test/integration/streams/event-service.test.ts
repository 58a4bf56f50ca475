import t from 'tap';
import {
  InternalTransaction,
  Transaction,
  TransactionInfo,
  TransactionInfoLog,
} from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { keccak256 } from '../../../src/crypto/hash.js';
import { EventDecoder } from '../../../src/encoding/abi/event-decoder.js';
import { OperatorAbis } from '../../../src/encoding/abi/operator-abis.js';
import { fromHex, toHex, utf8 } from '../../../src/primitives/bytes.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { EVENT_TRIGGERS } from '../../../src/streams/event-kinds.js';
import type { BlockContent } from '../../../src/streams/follow/block-content.js';
import type { BlockPosition } from '../../../src/streams/follow/block-position.js';
import type { LogMove } from '../../../src/streams/follow/log-moves.js';
import { forward } from '../../../src/streams/forwarding/forward.js';
import { RecordMaker, type RecordMakerOptions } from '../../../src/streams/records/record-maker.js';
import type { Sink } from '../../../src/streams/sinks/sink.js';
import type { SinkOptions } from '../../../src/streams/sinks/sink-kinds.js';
import { open, silent, temporaryFolder } from '../../support/projections/chain.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';
import { decodedOrder, encodedLog, orderLog, PAIR, structAbi, structEvent } from '../../support/struct-abi.js';
import { until } from '../../support/until.js';

const EVENT = 'Paid()';
const TOPIC = keccak256(utf8(EVENT));
const OTHER = new Uint8Array(32).fill(1);

function logOf(topic: Uint8Array): TransactionInfoLog {
  return Object.assign(new TransactionInfoLog(), { address: new Uint8Array(20).fill(7), topics: [topic] });
}

/**
 * Returns a block with one transaction. The transaction has a log without an ABI, an event, and another log without an
 * ABI.
 */
function contentOf(number: number): BlockContent {
  const log = [logOf(OTHER), logOf(TOPIC), logOf(OTHER)];
  const info = Object.assign(new TransactionInfo(), { log });
  const internal = [new InternalTransaction()];
  const transaction = { message: new Transaction(), idHex: 'ef', info, internal };
  return {
    seq: number,
    number,
    id: `id${number}`,
    parentId: `id${number - 1}`,
    timeMs: 3000n,
    solidifiedNumber: number,
    solidifiedBefore: number - 2,
    transactions: [transaction],
  } as unknown as BlockContent;
}

const book = {
  height: 100,
  fold: () => {},
  factsAt: () => ({
    creator: new Uint8Array(21),
    events: new Map([[toHex(TOPIC), { name: 'Paid', signature: EVENT, signatureFull: EVENT, inputs: [] }]]),
  }),
} as unknown as RecordMakerOptions['book'];

function makerOf(
  sink: Partial<SinkOptions>,
  laterTriggers = true,
  abis?: RecordMakerOptions['abis'],
  contracts = book,
  ledger: object = { changes: () => undefined },
): RecordMaker {
  return new RecordMaker({
    ledger: ledger as never,
    sink: {
      topics: EVENT_TRIGGERS,
      filter: { contractAddress: [], contractTopic: [] },
      key: 'transaction',
      redundancy: ['contractlog', 'soliditylog'],
      asReference: true,
      ...sink,
    },
    book: contracts,
    abis,
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers,
  });
}

const move = (change: LogMove['change'], solid: readonly number[] = []): LogMove =>
  ({ change, seq: 9, number: 5, id: 'id5', block: contentOf(5), solid: solid.map(contentOf) }) as unknown as LogMove;

/** Returns the triggers of the records. For the log of a contract, appends the index of the log in its transaction. */
function kinds(maker: RecordMaker, of: LogMove): string[] {
  return maker.recordsOfMove(of).records.map(({ trigger, payload }) => {
    const { uniqueId } = JSON.parse(String(payload)) as { uniqueId?: string };
    return trigger + (uniqueId?.slice(2) ?? '');
  });
}

t.test('emits all records of a block grouped by kind in event service 1', async (t) => {
  const ofBlock = ['block', 'transaction', 'contractevent_2', 'contractlog_1', 'contractlog_3', 'contractlog_2'];
  const ofSolid = ['solidityevent_2', 'soliditylog_1', 'soliditylog_3', 'soliditylog_2', 'solidity'];
  t.same(kinds(makerOf({ polled: true }), move('applied', [3, 4])), [...ofBlock, ...ofSolid, ...ofSolid]);
  t.same(kinds(makerOf({ polled: true, solidified: ['block', 'transaction'] }), move('applied', [4])), [
    ...ofBlock.slice(2),
    ...ofBlock.slice(0, 2),
    ...ofSolid,
  ]);
  t.same(kinds(makerOf({ polled: true, redundancy: [] }), move('applied')), ofBlock.slice(0, -1));
  const { records } = makerOf({ polled: true }).recordsOfMove(move('reverted'));
  t.same(
    records.map(({ trigger }) => trigger),
    ofBlock.map((kind) => kind.replace(/_\d/, '')),
  );
  t.ok(records.every(({ payload }) => (JSON.parse(String(payload)) as { removed: boolean }).removed));
});

t.test('decodes logs to events with an operator ABI', async (t) => {
  const event = { name: 'Given', signature: 'Given()', signatureFull: 'Given()', inputs: [] };
  const events = new Map([[toHex(OTHER), event]]);
  const operatorAbi = { events, decoder: new EventDecoder([event]), functions: new Map() };
  const of = (address: string) => (address === `41${'07'.repeat(20)}` ? operatorAbi : undefined);
  const maker = makerOf({ polled: true, redundancy: [] }, true, { of } as unknown as RecordMakerOptions['abis']);
  t.same(kinds(maker, move('applied')).slice(2), ['contractevent_1', 'contractevent_2', 'contractevent_3']);
});

t.test('decodes structs and anonymous events completely with an operator ABI', async (t) => {
  const abis = new OperatorAbis(temporaryFolder(t), (path, error) => t.fail(`${path}: ${error.message}`));
  abis.set(`41${'07'.repeat(20)}`, structAbi);
  const content = contentOf(5);
  const [order, anonymous] = [orderLog(), encodedLog(structEvent('Anon'), { a: 3n, b: 4n })];
  const logs = [order, anonymous, { ...anonymous, data: '00' }].map(({ topics, data }) =>
    Object.assign(new TransactionInfoLog(), {
      address: new Uint8Array(20).fill(7),
      topics: topics.map(fromHex),
      data: fromHex(data),
    }),
  );
  content.transactions[0]!.info!.log = logs;
  const { records } = makerOf({ polled: true, redundancy: [] }, true, abis).recordsOfMove({
    ...move('applied'),
    block: content,
  });
  const shown = records.slice(2).map(({ trigger, payload }) => {
    const { eventName, topicMap, dataMap } = JSON.parse(String(payload)) as Record<string, unknown>;
    return [trigger, eventName, topicMap, dataMap];
  });
  const base58 = (hex: string): string => encodeBase58Check(fromHex(`41${hex}`));
  const text = JSON.stringify(decodedOrder(base58));
  const pair = JSON.stringify(PAIR);
  t.same(shown, [
    ['contractevent', 'OrderPlaced', { 0: '7', id: '7' }, { 1: text, 2: pair, order: text, pair }],
    ['contractevent', 'Anon', { 0: '3', a: '3' }, { 1: '4', b: '4' }],
    ['contractlog', undefined, undefined, undefined],
  ]);
});

t.test('emits the logs of a block first and in block order in event service 0', async (t) => {
  const logs = ['contractlog_1', 'contractevent_2', 'contractlog_2', 'contractlog_3'];
  const solid = ['soliditylog_1', 'soliditylog_2', 'soliditylog_3', 'solidityevent_2'];
  const late: Partial<SinkOptions> = { solidified: ['block', 'transaction'] };
  t.same(kinds(makerOf({}), move('applied', [4])), [...logs, 'block', 'transaction', ...solid, 'solidity']);
  // 4.8.2 emits the block and transaction records before the logs of the solidified block, 4.7.2 after them.
  t.same(kinds(makerOf(late), move('applied', [4])), [...logs, 'block', 'transaction', ...solid, 'solidity']);
  t.same(kinds(makerOf(late, false), move('applied', [4])), [...logs, ...solid, 'block', 'transaction', 'solidity']);
});

t.test('emits blocks before transactions in release 4.7.2, even if only blocks wait for solidification', async (t) => {
  const maker = makerOf({ topics: ['block', 'transaction', 'solidity'], solidified: ['block'] }, false);
  const joined = { ...move('applied'), isFollowed: true };
  t.same(kinds(maker, joined), []);
  t.same(kinds(maker, { ...move('solidified', [3, 4]), block: undefined, cause: contentOf(5) }), [
    ...['block', 'block', 'transaction'],
    ...['solidity', 'solidity'],
  ]);
  t.same(
    kinds(maker, move('applied', [4])),
    ['block', 'transaction', 'solidity'],
    'a block that a reorg solidified follows the next block',
  );
  t.same(kinds(makerOf({ topics: ['block', 'transaction'], solidified: ['block'] }), joined), ['transaction']);
});

t.test('event service 1 decodes logs with the ABI that a contract has at the end of the block', async (t) => {
  const removed = new Set<string>();
  const rows = () =>
    [...removed].map((key) => ({ store: storeId('contract'), key: Buffer.from(key, 'hex'), after: undefined }));
  const requested: number[] = [];
  const watched = {
    ...book,
    factsAt: (address: Uint8Array, { index }: { index: number }) => {
      requested.push(index);
      return book?.factsAt(address, { number: 5, index });
    },
  } as unknown as RecordMakerOptions['book'];
  const maker = makerOf(
    { polled: true, topics: ['contractevent', 'contractlog'], redundancy: [] },
    true,
    undefined,
    watched,
    {
      changes: () => ({ rows: rows() }),
    },
  );
  t.same(kinds(maker, move('applied')), ['contractevent_2', 'contractlog_1', 'contractlog_3']);
  t.ok(
    requested.every((index) => index > 1000),
    'the ABI is read at the end of the block',
  );
  removed.add(`41${'07'.repeat(20)}`);
  t.same(
    kinds(maker, move('applied')),
    ['contractlog_1', 'contractlog_2', 'contractlog_3'],
    'a destroyed contract has no ABI',
  );
});

t.test('does not emit internal transactions', async (t) => {
  const eventsOf = (polled: boolean): Record<string, unknown>[] =>
    makerOf({ polled })
      .recordsOfMove(move('applied'))
      .records.map(({ payload }) => JSON.parse(String(payload)) as Record<string, unknown>);
  const listOf = (payloads: Record<string, unknown>[]): unknown =>
    payloads.find(({ triggerName }) => triggerName === 'transactionTrigger')!['internalTransactionList'];
  t.equal(listOf(eventsOf(true)), null);
  t.equal((listOf(eventsOf(false)) as unknown[]).length, 1);
});

t.test('starts at the configured height at each start, and continues after a failure', async (t) => {
  const ledger = await open(temporaryFolder(t));
  t.teardown(() => ledger.close());
  for (let number = 1; number <= 6; number++) appendTransfers(ledger, number === 6 ? { solidified: 5 } : {});
  await ledger.flush();
  const numbers: number[][] = [];
  let position: BlockPosition | undefined;
  let failures = 1;
  const sink: Sink = {
    name: 'queue',
    batch: { records: 2, bytes: 1_000_000 },
    open: async () => {
      numbers.push([]);
      return position;
    },
    write: async (blocks) => {
      if (numbers.at(-1)!.length === 2 && failures-- > 0) throw new Error('away');
      for (const { seq, number, id, records } of blocks) {
        if (records.length > 0) numbers.at(-1)!.push(number);
        position = { seq, number, id };
      }
    },
    close: async () => {},
  };
  const maker = new RecordMaker({
    ledger,
    sink: { topics: ['block'], filter: { contractAddress: [], contractTopic: [] }, key: 'transaction' },
    book: undefined,
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers: true,
  });
  /** Runs a sink until it has processed all available blocks, or has emitted all six blocks. */
  const run = async (repeats: boolean): Promise<void> => {
    const { signal } = new AbortController();
    const drain = new AbortController();
    const extent = { topics: ['block'], finality: 'applied', from: 3, repeats } as const;
    const done = forward({ ledger, sink, maker, extent, log: silent, signal, drain: drain.signal });
    await until('the blocks', () => (repeats ? numbers.at(-1)?.at(-1) === 6 : numbers.length > 0));
    drain.abort();
    await done;
  };
  await run(true);
  t.same(
    numbers.splice(0),
    [
      [3, 4],
      [5, 6],
    ],
    'from the configured height, and after a failure from the next block',
  );
  await run(false);
  t.same(numbers.splice(0), [[]], 'without the key no block is emitted again');
  await run(true);
  t.same(numbers.flat(), [3, 4, 5, 6]);
});
