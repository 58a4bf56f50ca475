import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PostgresServer } from '../../support/streams/postgres-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

// Recording of java-tron with transfers, calls and events. The compiled program forwards it.
const recording = join(golden, 'tvm-forks-14-shanghai');
const server = await PostgresServer.start();
t.teardown(() => server.close());
const folder = temporaryFolder(t);
const data = join(folder, 'data');
const config = join(folder, 'node.conf');

const SINKS = `
tronicle.sinks = [
  { name = file, type = ndjson, path = events.ndjson, topics = [block, transaction, transfer, contractevent, contractlog]
    transfer { genesis = true } }
  { name = db, type = postgres, url = "${server.url()}", topics = [block, transaction, transfer, contractevent, contractlog]
    transfer { genesis = true } }
  { name = blocks, type = postgres, url = "${server.url()}", schema = part, topics = [block], partitionBlocks = 1000 }
]`;

type Row = Readonly<Record<string, unknown>>;

/** JSON fields of the records that this test reads. */
interface Event {
  readonly [name: string]: unknown;
  readonly uniqueId: string;
  readonly contractAddress: string;
  readonly eventName?: string;
  readonly rawData: { readonly topics: readonly string[]; readonly data: string };
  readonly blockNumber: number;
  readonly standard: string;
  readonly token: string;
  readonly kind: string;
  readonly result: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
}

interface Line {
  readonly topic: string;
  readonly blockNum: number;
  readonly parentId: string;
  readonly event: Event;
}

/** Matches fields of events whose amounts have 64 bits. `JSON.parse` would round them. */
const LARGE = /"(assetAmount|contractCallValue|feeLimit|energyFee|netFee)":(-?\d+)/g;
let lines: readonly Line[] = [];

t.before(async () => {
  writeFileSync(config, `include required(file("${join(recording, 'config.conf')}"))\n${SINKS}\n`);
  const args = ['import', join(recording, 'blocks.ndjson.gz'), '--sinks', '-c', config, '-d', data];
  const { code, stderr } = await runTronicle(args);
  if (code !== 0) throw new Error(stderr);
  const text = readFileSync(join(data, 'events.ndjson'), 'utf8').replace(LARGE, '"$1":"$2"');
  lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
});

function linesOf(...topics: string[]): readonly Line[] {
  return lines.filter(({ topic }) => topics.includes(topic));
}

async function rowsOf(table: string, order: string): Promise<readonly Row[]> {
  return server.query<Row>(
    `select *, (extract(epoch from time) * 1000)::bigint as ms from tronicle.${table} order by block_number, ${order}`,
  );
}

t.test('writes every value of the records to the tables', async (t) => {
  t.same(
    (await rowsOf('blocks', 'block_hash')).map((row) => [
      row['block_number'],
      row['parent_hash'],
      row['ms'],
      row['transaction_ids'],
    ]),
    linesOf('block').map(({ blockNum, parentId, event }) => [
      String(blockNum),
      parentId,
      String(event['timeStamp']),
      event['transactionList'],
    ]),
  );
  const columns = {
    ...{
      transaction_id: 'transactionId',
      contract_type: 'contractType',
      result: 'result',
      from_address: 'fromAddress',
    },
    ...{
      to_address: 'toAddress',
      contract_address: 'contractAddress',
      asset_amount: 'assetAmount',
      fee_limit: 'feeLimit',
    },
    ...{
      call_value: 'contractCallValue',
      energy_fee: 'energyFee',
      net_fee: 'netFee',
      contract_result: 'contractResult',
    },
    ...{ internal_transactions: 'internalTransactionList', data: 'data', asset_name: 'assetName' },
  };
  const named = (row: Row, names: readonly string[]): unknown[] => names.map((name) => row[name] ?? null);
  t.strictSame(
    (await rowsOf('transactions', 'transaction_index')).map((row) => named(row, Object.keys(columns))),
    linesOf('transaction').map(({ event }) => named(event, Object.values(columns))),
  );
  const moved = {
    ...{ transfer_index: 'index', transaction_id: 'transactionId', kind: 'kind', standard: 'standard', token: 'token' },
    ...{ token_id: 'tokenId', from_address: 'from', to_address: 'to', amount: 'amount', decimals: 'decimals' },
    ...{ symbol: 'symbol', contract_type: 'contractType', result: 'result' },
  };
  t.strictSame(
    (await rowsOf('transfers', 'transfer_index')).map((row) => named(row, Object.keys(moved))),
    linesOf('transfer').map(({ event }) => named(event, Object.values(moved))),
  );
});

t.test('writes events and logs with their arguments to one table', async (t) => {
  const idOf = (row: Row): string => `${row['transaction_id']}_${row['log_index']}`;
  const rows = new Map((await rowsOf('events', 'transaction_id, log_index')).map((row) => [idOf(row), row]));
  const events = linesOf('contractevent', 'contractlog');
  t.equal(rows.size, events.length);
  for (const { event } of events) {
    const { topics, data } = event.rawData;
    t.match(rows.get(event.uniqueId), {
      ...{ contract_address: event.contractAddress, topics, data, name: event.eventName ?? null },
      ...{ topic_map: event['topicMap'] ?? null, data_map: event['dataMap'] ?? null },
    });
  }
});

t.test('the queries of the documentation return the values of the records', async (t) => {
  const page = readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8');
  const queries = [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, query]) => query!);
  const [balance, deposits, events] = queries as [string, string, string];
  t.equal(queries.length, 3);
  const transfers = linesOf('transfer').map(({ event }) => event);
  const account = transfers.find(({ kind }) => kind === 'transfer')!.to!;
  const contract = linesOf('contractevent')[0]!.event.contractAddress;
  const query = (text: string, address: string) =>
    server.query<Row>(text.replaceAll(/'T[1-9A-Za-z]{33}'/g, `'${address}'`));
  const sums = new Map<string, bigint>();
  for (const { standard, token, from, to, amount } of transfers) {
    if (standard !== 'TRX' && standard !== 'TRC10') continue;
    if (to === account) sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
    if (from === account) sums.set(token, (sums.get(token) ?? 0n) - BigInt(amount));
  }
  const balances = (await query(balance, account)).map((row) => [row['token'], row['balance']]);
  t.same(balances.sort(), [...sums].map(([token, sum]) => [token, String(sum)]).sort());
  t.ok(sums.get('TRX')! > 0n, `${account} has ${sums.get('TRX')} SUN`);
  const arrived = transfers.filter(
    ({ to, kind, result, blockNumber }) =>
      to === account && ['transfer', 'event', 'internal'].includes(kind) && result === 'SUCCESS' && blockNumber > 0,
  );
  t.same(
    (await query(deposits, account)).map((row) => [row['transaction_id'], row['amount']]),
    arrived.map(({ transactionId, amount }) => [transactionId, amount]),
  );
  const name = linesOf('contractevent')[0]!.event.eventName!;
  t.ok((await query(events.replace("'Transfer'", `'${name}'`), contract)).length > 0, `events ${name} of ${contract}`);
});

t.test('fills the table of another topic by a backfill, and reports its end', async (t) => {
  const args = ['stream', 'backfill', '--from', '1', '--to', '100', '--topic', 'transfer', '--sink', 'blocks'];
  const { code, stderr } = await runTronicle([...args, '-c', config, '-d', data]);
  t.equal(code, 0, stderr);
  const count = async (where: string): Promise<unknown> =>
    (await server.query<Row>(`select count(*)::integer as count from ${where}`))[0]!['count'];
  const expected = linesOf('transfer').filter(({ blockNum }) => blockNum >= 1 && blockNum <= 100);
  t.ok(expected.length > 0);
  t.equal(await count('part.transfers'), expected.length);
  t.equal(await count('part.blocks'), linesOf('block').length, 'the rows of other topics are unchanged');
  t.match(await server.query('select block_number from part.sinks order by name'), [{}, { block_number: '100' }]);
});
