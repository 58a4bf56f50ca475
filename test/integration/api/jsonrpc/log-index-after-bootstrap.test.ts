import { lastValueFrom } from 'rxjs';
import t, { type Test } from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { LogSearch } from '../../../../src/api/jsonrpc/logs/find-logs.js';
import { LogIndex } from '../../../../src/api/jsonrpc/logs/log-index.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { TransactionInfo, TransactionInfoLog, TransactionRet } from '../../../../src/codec/generated/messages.js';
import { logBlooms } from '../../../../src/projections/indexes/log-blooms.js';
import { projectLog } from '../../../../src/projections/runner/project-log.js';
import { ProjectionDatabase } from '../../../../src/projections/runner/projection-database.js';
import { silent } from '../../../support/projections/chain.js';
import { openBootstrapped } from '../../../support/streams/bootstrapped-chain.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const RELEASE = apiRelease('4.7.2');
const BASE = 80_000_000;
const CONTRACT = new Uint8Array(20).fill(7);

/** Returns receipts of a transaction with one log of the contract. */
function receipts(): Uint8Array {
  const log = Object.assign(new TransactionInfoLog(), { address: CONTRACT, topics: [new Uint8Array(32).fill(1)] });
  const info = Object.assign(new TransactionInfo(), { id: new Uint8Array(32), log: [log] });
  return TransactionRet.encode(Object.assign(new TransactionRet(), { transactioninfo: [info] }));
}

/**
 * Opens a ledger with three imported blocks and three later blocks. Each imported block has one event log; the later
 * blocks have none.
 */
async function opened(t: Test) {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: BASE, results: receipts() });
  const database = new ProjectionDatabase(temporaryFolder(t), { readOnly: false });
  t.teardown(() => ledger.close());
  t.teardown(() => database.close());
  for (let blocks = 0; blocks < 3; blocks++) appendTransfers(ledger);
  await ledger.flush();
  const stop = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, projections: [logBlooms], log: silent };
  const running = lastValueFrom(projectLog({ ...options, signal: stop.signal }), { defaultValue: undefined });
  while (database.cursor(logBlooms.name)?.seq !== ledger.storedSeq) await new Promise((r) => setTimeout(r, 5));
  stop.abort();
  await running;
  const view = {
    headNumber: ledger.position.headNumber,
    blockIdAt: (number: number) => ledger.blockIdAt(number),
    block: (number: number) => ledger.block(number),
  } as unknown as ChainView;
  const search = new LogSearch(RELEASE, new LogIndex(ledger, database));
  const found = (from: number, to: number | undefined, address = CONTRACT): number[] =>
    search
      .find(view, { filter: { addresses: [address], topics: [] }, from, to })
      .map((text) => Number((JSON.parse(text) as { blockNumber: string }).blockNumber));
  return { found, search, view };
}

t.test('finds the event logs of imported blocks, which the index does not contain', async (t) => {
  const { found } = await opened(t);
  t.same(found(0, undefined), [BASE - 2, BASE - 1, BASE]);
  t.same(found(BASE - 1, BASE - 1), [BASE - 1]);
  t.same(found(BASE, BASE + 3), [BASE]);
  t.same(found(BASE + 1, undefined), []);
  t.same(found(0, BASE - 3), []);
  t.same(found(0, undefined, new Uint8Array(20).fill(8)), []);
});

t.test('limits the time of a search in an index without matches', (t) => {
  const row = new Uint8Array(256);
  const database = {
    refresh: () => undefined,
    cursor: () => ({ version: logBlooms.version, seq: 5 }),
    get: () => row,
  } as unknown as ProjectionDatabase;
  const position = { seq: 5, headNumber: BASE, solidifiedNumber: BASE };
  const ledger = { position, base: undefined, startNumber: 0, seqAfter: () => 1, block: () => ({ seq: 5 }) };
  const entries = { ...ledger, entry: () => ({ kind: 'applied', number: BASE }) };
  const index = new LogIndex(entries as unknown as ConstructorParameters<typeof LogIndex>[0], database);
  const query = { filter: { addresses: [CONTRACT], topics: [] }, from: 0, to: undefined };
  const search = new LogSearch(RELEASE, index);
  t.throws(() => search.find({ headNumber: BASE } as ChainView, query, 4), { message: /exceeds the time budget/ });
  t.end();
});
