import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ApiContext } from '../../../src/api/context/api-context.js';
import { BudgetExceededError, CallBudget } from '../../../src/api/context/call-budget.js';
import { BlockReader } from '../../../src/api/context/read-block.js';
import { Dispatcher } from '../../../src/api/http/dispatch.js';
import { answerText, type HttpAnswer } from '../../../src/api/http/http-answer.js';
import type { IncomingRequest } from '../../../src/api/http/incoming-request.js';
import {
  type IndexCursor,
  type IndexItem,
  type IndexPage,
  type IndexRequest,
  indexPage,
  readIndexPage,
} from '../../../src/api/indexes/index-pages.js';
import { FilterStore } from '../../../src/api/jsonrpc/logs/filter-store.js';
import { LogSearch } from '../../../src/api/jsonrpc/logs/find-logs.js';
import { NO_FEATURES, servedFeatures } from '../../../src/api/jsonrpc/methods/features.js';
import { rpcMethods } from '../../../src/api/jsonrpc/methods/methods.js';
import { toPlain } from '../../../src/api/jsonrpc/plain-json.js';
import { RememberedIds } from '../../../src/api/operations/broadcast.js';
import type { Chain } from '../../../src/chain/chain.js';
import { TransactionRet } from '../../../src/codec/generated/messages.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../../src/config/load-config.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { openChain } from '../../../src/node/open-chain.js';
import { createApiContext } from '../../../src/node/serving/api-context.js';
import { startProjections } from '../../../src/node/serving/secondary-projections.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { ChainReporter } from '../../../src/node/threads/api-threads/chain-reporter.js';
import { RemoteChain } from '../../../src/node/threads/api-threads/remote-chain.js';
import type { Pool as PoolType } from '../../../src/node/threads/pool/pool.js';
import { configForThread } from '../../../src/node/threads/reading-thread.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { findIndex } from '../../../src/projections/indexes/indexes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { serveRpc } from '../../support/jsonrpc/served-rpc.js';
import { blocksOf, offer } from '../../support/node/recorded-blocks.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';
import { until } from '../../support/until.js';

// Worker threads run only the compiled program. Their answers are compared with those of this thread.
const { Pool } = (await import(new URL('../../../dist/node/threads/pool/pool.js', import.meta.url).href)) as {
  Pool: typeof PoolType;
};

interface Opened {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly dataDir: string;
}

/** Starts a pool for a chain. A reporter sends the pending transactions to the pool. */
function poolOf(t: Test, { chain, config, dataDir }: Opened, threads = 1) {
  // An API thread receives its updates in parts. It sends the full state to a new pool thread.
  const remoteChain = new RemoteChain({
    ledger: chain.ledger,
    rules: chain.state.rules,
    submit: () => Promise.resolve(),
  });
  const pool = new Pool({
    threads,
    data: {
      dataDir,
      config: configForThread(config),
      level: 'silent',
      notifier: chain.ledger.notifierBuffer,
      voted: new SharedArrayBuffer(8),
      clock: { now: 0, at: Date.now(), speed: 0 },
    },
    pendingUpdate: () => remoteChain.pendingUpdate(),
    log: silent,
  });
  const reporter = new ChainReporter(chain, (update) => {
    remoteChain.apply(update);
    pool.update(update);
  });
  reporter.reportWhole();
  t.teardown(async () => {
    reporter.close();
    await pool.close();
  });
  return { pool, reporter, notified: remoteChain };
}

function post(path: string, body: object): IncomingRequest {
  return {
    method: 'POST',
    target: path,
    type: '',
    body: Buffer.from(JSON.stringify(body)),
  };
}

t.test('shows the pool threads the same view as the chain thread, with pending transactions', async (t) => {
  const folder = join(golden, 'system-modern');
  const { config } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  t.teardown(() => chain.ledger.close());
  await chain.ledger.flush();
  const { pool, reporter } = poolOf(t, { chain, config, dataDir }, 2);
  const { api } = servedLocally({ chain, config, log: silent, now: () => 0 });
  const services = { api, remembered: new RememberedIds(), startedMs: 0 };
  const here = {
    fullnode: new Dispatcher('fullnode', services, []),
    solidity: new Dispatcher('solidity', services, []),
  };
  const mismatched: string[] = [];
  let compared = 0;
  const compare = async (what: string, accounts: readonly string[]): Promise<void> => {
    reporter.report();
    const questions = [
      ...accounts.map((address) => ['getaccount', { address }] as const),
      ['getpendingsize', {}] as const,
      ['getnowblock', {}] as const,
    ];
    for (const server of ['fullnode', 'solidity'] as const) {
      const context = server === 'fullnode' ? '/wallet' : '/walletsolidity';
      await Promise.all(
        questions.map(async ([name, body]) => {
          const request = post(`${context}/${name}`, body);
          const expected = here[server].answer(request) as HttpAnswer;
          const found = await pool.http(server, request);
          compared++;
          if (JSON.stringify(found) !== JSON.stringify(expected)) mismatched.push(`${what} ${server} ${name}`);
        }),
      );
    }
  };
  const blocks = blocksOf(folder).slice(0, 150);
  for (const [at, block] of blocks.entries()) {
    offer(chain, block);
    const owners = [...new Set(block.transactions.map(({ owner }) => String(owner)))].slice(0, 6);
    if (at % 3 === 0) await compare(`with the transactions of ${block.number}`, owners);
    chain.importBlock(block);
    await chain.ledger.flush();
    chain.mempool.reinject();
    if (at % 7 === 0) await compare(`after ${block.number}`, owners);
    if (at % 50 !== 49) continue;
    chain.rollback(block.number - 3);
    await chain.ledger.flush();
    await compare(`rolled back from ${block.number}`, owners);
    for (const again of blocks.slice(at - 2, at + 1)) chain.importBlock(again);
    await chain.ledger.flush();
    await compare(`again at ${block.number}`, owners);
  }
  t.same(mismatched, []);
  t.ok(compared > 300);
});

t.test('runs traces, calls and log queries in a bounded pool until it closes', async (t) => {
  const features = { debug: true, revertData: true };
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features, until: 81 });
  const { pool } = poolOf(t, rpc);
  const idsOf = (number: number): string[] =>
    TransactionRet.decode(rpc.chain.ledger.block(number)!.results).transactioninfo.map(({ id }) => `0x${toHex(id)}`);
  const tracer = toPlain(new Map([['tracer', 'callTracer']]));
  const trace = (id: string | null) => pool.rpc('head', 'debug_traceTransaction', [id, tracer]);
  for (const number of [81, 87]) {
    await rpc.pushTo(number);
    for (const id of idsOf(number).slice(0, 8)) {
      const expected = await rpc.get('debug_traceTransaction', [id, { tracer: 'callTracer' }]);
      t.same(JSON.parse((await trace(id)).text), expected, id);
    }
  }
  const args = {
    from: `0x${'11'.repeat(20)}`,
    to: null,
    gas: '',
    gasPrice: '',
    value: '',
    data: '0x5f5ffd',
    nonce: null,
  };
  const text = await pool.rpc('head', 'debug_traceCall', [args, toPlain(new Map([['blockNumber', '0x50']])), null]);
  t.match(JSON.parse(text.text), { failed: true, structLogs: [{ op: 'PUSH0' }, { op: 'PUSH0' }, { op: 'REVERT' }] });
  const range = { fromBlock: '0x50', toBlock: '0x51', count: '0x9' };
  const calls = await pool.rpc('head', 'trace_filter', [toPlain(new Map(Object.entries(range)))]);
  t.same(JSON.parse(calls.text), await rpc.get('trace_filter', [range]));
  await t.rejects(trace(`0x${'00'.repeat(32)}`), { message: 'transaction not found' });
  await t.rejects(trace(null), { code: 'java.lang.NullPointerException' });

  const reverted = await rpc.request('eth_call', [{ from: args.from, data: '0x5f5ffd' }, 'latest']);
  const { code, message, data } = reverted.error!;
  const error = await pool.rpc('head', 'eth_call', [args, 'latest']).catch((thrown: unknown) => thrown);
  t.match(error, { number: code, text: message, data }, 'an error keeps its code and data');
  const query = { filter: { addresses: [], topics: [] }, from: 0, to: undefined };
  const logs = await rpc.get('eth_getLogs', [{ fromBlock: '0x0' }]);
  t.same(JSON.parse((await pool.logs('head', query)).text), logs);

  const [id] = idsOf(81) as [string];
  const outcomes = await Promise.allSettled(Array.from({ length: 140 }, () => trace(id)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  t.equal(refused.length, 11, 'one request is executed and 128 are queued');
  t.match(refused[0], { reason: { number: -32005, text: 'lack of computing resources' } });
  const full = Array.from({ length: 130 }, () => pool.http('fullnode', post('/wallet/getnowblock', {})));
  t.match((await full[129])!.body, 'lack of computing resources');
  await Promise.all(full);

  const running = trace(id);
  void pool.http('fullnode', post('/wallet/getnowblock', {}));
  await pool.close();
  t.match((await running).text, '"type":"CALL"', 'the running request ends before its thread');
});

t.test('answers delegated calls like local ones', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { until: 87 });
  const config = { ...rpc.config, vm: { ...rpc.config.vm, supportConstant: true, estimateEnergy: true } };
  const { pool, notified: remoteChain, reporter } = poolOf(t, { ...rpc, config });
  reporter.report();
  let delegatedCount = 0;
  const counted = {
    http: (...args: Parameters<typeof pool.http>) => {
      delegatedCount++;
      return pool.http(...args);
    },
  } as unknown as typeof pool;
  const services = { remembered: new RememberedIds(), startedMs: 0 };
  const now = () => 0;
  const { api: whole } = servedLocally({ chain: rpc.chain, config, log: silent, now });
  // No time is left for calls in this thread. So a call that checks the clock is delegated to the pool.
  const api = createApiContext({ source: remoteChain, config, now, callBudget: new CallBudget(-1) });
  const here = new Dispatcher('fullnode', { ...services, api: whole }, []);
  const there = new Dispatcher('fullnode', { ...services, api, pool: counted }, []);
  const calls = [...rpc.blocks]
    .filter(([height]) => height > 0 && height <= 87)
    .flatMap(([, hex]) => decodeBlock(fromHex(hex)).transactions)
    .filter(({ contractType }) => contractType === 31)
    .slice(-40)
    .map(({ parameter }) => parameter as unknown as Record<string, Uint8Array>);
  for (const { ownerAddress, contractAddress, data } of calls) {
    const body = {
      owner_address: toHex(ownerAddress!),
      contract_address: toHex(contractAddress!),
      data: toHex(data!),
    };
    for (const name of ['triggerconstantcontract', 'estimateenergy']) {
      const request = post(`/wallet/${name}`, body);
      const expected = here.answer(request);
      // A call that never checks the clock runs in this thread for the first three times.
      for (let time = 0; time < 4; time++) t.same(await there.answer(request), expected, `${name} ${body.data}`);
    }
  }
  t.ok(delegatedCount >= 40, `${delegatedCount} were delegated`);
});

t.test('reads pages of an index with values from the state in the pool', async (t) => {
  const names = ['token-holders'];
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { until: 87 });
  const config = { ...rpc.config, tronicle: { ...rpc.config.tronicle, projections: names } };
  const { chain, dataDir } = rpc;
  const { ledger } = chain;
  const { api, retainChanges } = servedLocally({ chain, config, log: silent, now: () => 0 });
  const { addressPrefix } = config;
  const projections = startProjections({ ledger, retainChanges, dataDir, names, addressPrefix, log: silent });
  t.teardown(() => projections.close());
  await until('the index', () =>
    projections.progress().some(({ name, seq }) => names.includes(name) && seq === ledger.storedSeq),
  );
  const { pool } = poolOf(t, { ...rpc, config });
  const source = { api, histories: projections.histories, blocks: new BlockReader(ledger) };
  const index = findIndex('token-holders')!;
  const token = decodeBase58Check('TP87cZodPdg3HQVh5VR9HtNZx7pamsXRix')!;
  // A page ends after a fixed time, so the two threads may divide the list differently.
  const itemsOf = async (read: (request: IndexRequest) => IndexPage | Promise<IndexPage>, height?: number) => {
    const items: IndexItem[] = [];
    for (let after: IndexCursor | undefined; ; ) {
      const page = await read({ limit: 100, after, height });
      items.push(...page.items);
      if (page.next === undefined) return items;
      after = page.next;
    }
  };
  for (const height of [77, 78, undefined]) {
    const expected = await itemsOf((request) => readIndexPage(source, index, token, request), height);
    t.same(await itemsOf((request) => indexPage({ ...source, pool }, index, token, request), height), expected);
    t.equal(expected.length > 0, height !== 77, `height ${height}`);
  }
  await t.rejects(pool.index('token-holders', token, { limit: 1, height: 9_999 }), { code: 'HEIGHT_UNKNOWN' });
});

t.test('runs a request in the pool if its answer reads many bytes of blocks', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { until: 87 });
  const { tronicle } = rpc.config;
  const config = { ...rpc.config, tronicle: { ...tronicle, jsonrpc: { ...tronicle.jsonrpc, ethereum: true } } };
  const { pool } = poolOf(t, { ...rpc, config });
  let delegatedCount = 0;
  const counted = {
    http: (...args: Parameters<typeof pool.http>) => {
      delegatedCount++;
      return pool.http(...args);
    },
    rpc: (...args: Parameters<typeof pool.rpc>) => {
      delegatedCount++;
      return pool.rpc(...args);
    },
  } as unknown as typeof pool;
  const { api: whole } = servedLocally({ chain: rpc.chain, config: rpc.config, log: silent, now: () => 0 });
  const api: ApiContext = { ...whole, view: (name) => ({ ...whole.view(name), answerBytesMax: 0 }) };
  const services = { remembered: new RememberedIds(), startedMs: 0 };
  const here = new Dispatcher('fullnode', { ...services, api: whole }, []);
  const there = new Dispatcher('fullnode', { ...services, api, pool: counted }, []);
  const questions = [
    ['getblockbynum', { num: 81 }],
    ['getblock', { id_or_num: '81', detail: true }],
    ['getblockbylimitnext', { startNum: 80, endNum: 84 }],
    ['getblockbylatestnum', { num: 3 }],
    ['gettransactioninfobyblocknum', { num: 81 }],
  ] as const;
  for (const [name, body] of questions) {
    const request = post(`/wallet/${name}`, body);
    const [found, expected] = [await there.answer(request), here.answer(request) as HttpAnswer];
    t.same({ ...found, body: answerText(found) }, expected, name);
  }
  t.equal(delegatedCount, questions.length);
  const many = await pool.http('fullnode', post('/wallet/getblockbylimitnext', { startNum: 0, endNum: 80 }));
  t.ok(many.body instanceof Uint8Array, 'a large body arrives as bytes');
  t.equal(JSON.parse(answerText(many)).block.length, 80);

  const features = servedFeatures({ ...NO_FEATURES, ethereum: true });
  const logs = new LogSearch(whole.settings.release, undefined);
  const context = {
    view: 'head',
    features,
    filters: new FilterStore(() => 0, whole.settings),
    producers: [],
    logs,
  } as const;
  const local = rpcMethods({ ...context, api: whole });
  const delegating = rpcMethods({ ...context, api, pool: counted });
  const calls: readonly (readonly [method: string, ...values: unknown[]])[] = [
    ['eth_getBlockByNumber', '0x51', true],
    ['eth_getBlockByNumber', '0x51', false],
    ['eth_getBlockReceipts', '0x51'],
    ['eth_feeHistory', '0x5', 'latest', null],
  ];
  for (const [method, ...values] of calls) {
    const before = delegatedCount;
    await delegating.get(method)!.run(...values);
    t.equal(delegatedCount, before + 1, `${method} ${values}`);
    t.ok(local.get(method)!.run(...values), 'a thread without a limit executes the method itself');
  }
});

t.test('fails the task of a crashed thread and restarts the thread', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { until: 5 });
  const { pool } = poolOf(t, rpc);
  const now = post('/wallet/getnowblock', {});
  const expected = await pool.http('fullnode', now);
  t.match(expected, { status: 200, body: /blockID/ });
  // Requests a server that does not exist, which causes an internal error.
  const lost = pool.http('nothing' as 'fullnode', now);
  const queued = pool.http('fullnode', now);
  t.match(await lost, { status: 200, body: /the node aborted the call before its end/ });
  t.same(await queued, expected);
  t.match(await pool.grpc('nothing' as 'fullnode', 'protocol.Wallet/GetNowBlock', new Uint8Array(0)), { status: 2 });
  const reply = await pool.grpc('fullnode', 'protocol.Wallet/GetNowBlock', new Uint8Array(0));
  t.ok(reply.bytes.length > 0);
});

t.test('runs a call in the pool at once after three slow runs, until it is fast', (t) => {
  const callBudget = new CallBudget(4);
  const strike = (key: string, times: number): void => {
    for (let time = 0; time < times; time++) callBudget.note(key, 5);
  };
  strike('a', 2);
  callBudget.check('a');
  callBudget.note('a', 4);
  strike('a', 2);
  callBudget.check('a');
  strike('a', 1);
  t.throws(() => callBudget.check('a'), BudgetExceededError);
  callBudget.check('b');
  callBudget.note('a', 1);
  callBudget.check('a');
  strike('a', 3);
  for (let i = 0; i < 1000; i++) strike(String(i), 3);
  callBudget.check('a');
  t.throws(() => callBudget.check('0'), BudgetExceededError, 'the budget remembers 1,000 addresses');
  t.end();
});
