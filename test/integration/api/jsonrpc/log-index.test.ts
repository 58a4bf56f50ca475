import { lastValueFrom } from 'rxjs';
import t from 'tap';
import { viewOfLedger } from '../../../../src/api/context/ledger-view.js';
import { LogSearch } from '../../../../src/api/jsonrpc/logs/find-logs.js';
import { LogIndex } from '../../../../src/api/jsonrpc/logs/log-index.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { logBlooms } from '../../../../src/projections/indexes/log-blooms.js';
import { projectLog } from '../../../../src/projections/runner/project-log.js';
import { ProjectionDatabase } from '../../../../src/projections/runner/projection-database.js';
import { type ServedRpc, serveRpc } from '../../../support/jsonrpc/served-rpc.js';
import { seeded, silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const RELEASE = apiRelease('4.7.2');

// Recorded from java-tron 4.7.2: 259 logs in 216 blocks.
const RECORDING = 'tvm-forks-14-shanghai';
const SEED = 7;

/** Starts to build the index from the block log. `reached` waits until the index is complete. `stop` ends the build. */
function follow({ chain: { ledger } }: ServedRpc, database: ProjectionDatabase) {
  const stop = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, projections: [logBlooms], log: silent };
  const running = lastValueFrom(projectLog({ ...options, signal: stop.signal }), { defaultValue: undefined });
  return {
    reached: async (): Promise<void> => {
      while (database.cursor(logBlooms.name)?.seq !== ledger.storedSeq) await new Promise((r) => setTimeout(r, 5));
    },
    stop: async (): Promise<void> => {
      stop.abort();
      await running;
    },
  };
}

const rowsOf = (database: ProjectionDatabase): string[] =>
  [...database.range(logBlooms.name, new Uint8Array(0))].map(
    ({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`,
  );

t.test('returns the same logs with and without the index at any cursor', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { hasIndex: false, until: 100 });
  const { ledger, state } = rpc.chain;
  const words = new Map<string, Uint8Array>();
  const topics = new Map<string, Uint8Array>();
  for (let number = 1; number <= ledger.position.headNumber; number++) {
    for (const { log } of TransactionRet.decode(ledger.block(number)!.results).transactioninfo) {
      for (const entry of log) {
        words.set(Buffer.from(entry.address).toString('hex'), entry.address);
        for (const topic of entry.topics) topics.set(Buffer.from(topic).toString('hex'), topic);
      }
    }
  }
  const database = new ProjectionDatabase(temporaryFolder(t), { readOnly: false });
  const random = seeded(SEED);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const addressList = [...words.values(), new Uint8Array(20).fill(9)];
  const topicList = [...topics.values(), new Uint8Array(32).fill(9)];
  const view = viewOfLedger(ledger, state, ledger.position.headNumber);
  const scan = new LogSearch(RELEASE);
  let found = 0;
  const compare = (index: LogIndex, name: string): void => {
    const search = new LogSearch(RELEASE, index);
    for (let i = 0; i < 150; i++) {
      const query = {
        filter: {
          addresses: Array.from({ length: random(3) }, () => pick(addressList)),
          topics: Array.from({ length: random(3) }, () => Array.from({ length: random(3) }, () => pick(topicList))),
        },
        from: random(110),
        to: pick([undefined, random(120)]),
      };
      const expected = scan.find(view, query);
      found += expected.length;
      t.same(search.find(view, query), expected, `${name}, query ${i} of seed ${SEED}`);
    }
  };
  const index = new LogIndex(ledger, database);
  t.equal(index.indexedHeight(), -1);
  compare(index, 'empty index');
  const late = follow(rpc, database);
  await late.reached();
  t.equal(index.indexedHeight(), ledger.position.headNumber);
  compare(index, 'complete index');
  t.ok(found > 500, `${found} logs were found`);
  await late.stop();
  await database.close();
});

t.test('removes reverted blocks from the index, and reads blocks above its cursor one by one', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { hasIndex: false, until: 80 });
  const { ledger } = rpc.chain;
  const database = new ProjectionDatabase(temporaryFolder(t), { readOnly: false });
  const index = new LogIndex(ledger, database);
  let running = follow(rpc, database);
  await running.reached();
  const before = rowsOf(database);
  await rpc.pushTo(85);
  await running.reached();
  t.equal(index.indexedHeight(), 85);
  t.notSame(rowsOf(database), before);
  await running.stop();
  for (let i = 0; i < 5; i++) rpc.chain.revertHead();
  await ledger.flush();
  t.equal(index.indexedHeight(), 80, 'the reverted blocks are still indexed, and indexedHeight ends below them');
  running = follow(rpc, database);
  await running.reached();
  t.same(rowsOf(database), before);
  await running.stop();
  await rpc.pushTo(83);
  t.equal(index.indexedHeight(), 80);
  await database.close();
});

t.test('answers eth_getLogs from the index of a running node', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { until: 90 });
  const plain = await serveRpc(t, RECORDING, { hasIndex: false, until: 90 });
  const all = await plain.get<{ address: string; topics: string[] }[]>('eth_getLogs', [{ fromBlock: '0x0' }]);
  t.ok(all.length > 100);
  for (const { address, topics } of all.slice(0, 20)) {
    const query = { fromBlock: '0x0', address, topics };
    t.same(await rpc.get('eth_getLogs', [query]), await plain.get('eth_getLogs', [query]), JSON.stringify(query));
  }
});
