import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createGraphqlServer } from '../../../src/api/graphql/graphql-server.js';
import { createFileLog, errorsOf } from '../../../src/node/logging.js';
import { startProjections } from '../../../src/node/serving/secondary-projections.js';
import { postQuery } from '../../support/graphql/served-chain.js';
import { api, rules } from '../../support/graphql/served-ledger.js';
import { openChain } from '../../support/streams/genesis.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const FAILING = 'internal-transactions';
const names = ['contract-events', FAILING, 'stake-history'];
/**
 * Height of a block whose internal transactions are malformed. Only the index `FAILING` decodes internal transactions,
 * so only this index fails.
 */
const MALFORMED = 6;
const HEAD = 12;

t.test('an index that fails at an entry stops alone, and status, metrics and log show it', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await openChain(dataDir);
  const logFile = join(dataDir, 'node.log');
  const log = createFileLog(logFile, 'error');
  const start = () =>
    startProjections({ ledger, retainChanges: () => undefined, dataDir, names, addressPrefix: 0x41, log });
  let projections = start();
  const { histories } = projections;
  const progress = {
    projections: () => projections.progress(),
    sinks: () => [],
    replica: () => undefined,
    storageProblem: () => undefined,
  };
  const app = await createGraphqlServer({ ledger, rules: rules(), api, histories, progress, log });
  t.teardown(async () => {
    await app.close();
    await projections.close();
    await ledger.close();
  });
  const grow = async (to: number): Promise<void> => {
    while (ledger.position.headNumber < to) {
      const isMalformed = ledger.position.headNumber + 1 === MALFORMED;
      appendTransfers(ledger, { ...(isMalformed && { internalTransactions: Uint8Array.of(0xff) }) });
    }
    await ledger.flush();
  };
  const others = (): readonly number[] =>
    projections
      .progress()
      .filter(({ name }) => name !== FAILING)
      .map(({ seq }) => seq);
  const failures = (): readonly string[] =>
    (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
      .split('\n')
      .filter((line) => line.includes('projection stopped'));

  await grow(MALFORMED - 1);
  await until('the index', () => projections.progress().every(({ seq }) => seq === ledger.storedSeq));
  await grow(HEAD);
  t.equal(ledger.position.headNumber, HEAD, 'the chain continues');
  await until('the other indexes', () => others().every((seq) => seq === ledger.storedSeq));
  await until('the error', () => failures().length > 0);
  t.match(JSON.parse(failures()[0]!), { projection: FAILING, err: { message: /./, stack: /internal/ } });
  t.match(errorsOf(log)?.take(), [{ topic: 'projection', count: 1 }], 'tron:error_info counts it');
  const { data } = await postQuery(app, '{ status { projections { name number behind } } }');
  t.same((data['status'] as { projections: unknown }).projections, [
    { name: 'log-blooms', number: `${HEAD}`, behind: '0' },
    { name: 'contract-events', number: `${HEAD}`, behind: '0' },
    { name: FAILING, number: `${MALFORMED - 1}`, behind: `${HEAD - MALFORMED + 1}` },
    { name: 'stake-history', number: `${HEAD}`, behind: '0' },
  ]);

  await projections.close();
  projections = start();
  await grow(HEAD + 3);
  await until('the other indexes', () => others().every((seq) => seq === ledger.storedSeq));
  await until('the error', () => failures().length > 1);
  t.equal(failures().length, 2, 'after a restart, the index stops at the same entry');
});
