import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { EVENT_TIMEOUT_MS } from '../../../support/event-timeout.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';
import { seeded } from '../../../support/projections/chain.js';

// Seed of the test, which sends values of every type to methods that java-tron does not have. Each request must get one
// response, and never an internal error.
const SEED = 11;
const REQUESTS = 2000;

for (const ethereum of [false, true])
  t.test(`answers every request over WebSocket, ethereum ${ethereum}`, (t) => requestAll(t, ethereum));

async function requestAll(t: Test, ethereum: boolean): Promise<void> {
  const features = {
    history: true,
    finalityTags: true,
    blockReceipts: true,
    revertData: true,
    subscriptions: true,
    debug: true,
    ethereum,
  };
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features, until: 52 });
  const random = seeded(SEED);
  const known = [
    `0x${'11'.repeat(20)}`,
    `0x${'00'.repeat(32)}`,
    (await rpc.get<{ transactions: string[] }>('eth_getBlockByNumber', ['0x32', false])).transactions[0],
  ];
  const words = [
    'latest',
    'earliest',
    'pending',
    'finalized',
    'safe',
    'newHeads',
    'logs',
    'syncing',
    'callTracer',
    '0x',
    '',
  ];
  const names = [
    'from',
    'to',
    'data',
    'value',
    'tracer',
    'tracerConfig',
    'limit',
    'blockNumber',
    'blockHash',
    'address',
    'topics',
  ];
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const [address, , id] = known;
  const call = { from: address, data: '0x5f5f5260205ff3' };
  const half = (members: object): object => Object.fromEntries(Object.entries(members).filter(() => random(2) === 0));
  const state = (): unknown => pick([{ [known[0]!]: half({ code: '0x5f', balance: '0x5', state: {} }) }, value(1)]);
  const seen = (): object =>
    half({ number: pick(['0x35', '0x36', value(2)]), time: '0x77359400', feeRecipient: address });
  const block = (): object => half({ stateOverrides: state(), blockOverrides: seen(), calls: [call, value(1)] });
  const low = (): string => pick(['0x10', '0x11', 'earliest', '0x99']);
  const range = (): object => ({
    fromBlock: '0x10',
    toBlock: low(),
    after: value(2),
    count: pick([3, '0x2', value(2)]),
  });
  const tracing = (): object => ({
    tracer: pick(['prestateTracer', 'flatCallTracer', 'muxTracer', 'noopTracer']),
    tracerConfig: pick([{}, { diffMode: true }, { callTracer: null }, value(1)]),
  });
  const tag = (): string => pick(['latest', 'earliest', 'finalized', 'safe', 'pending', '0x10', '0x32', '0x99']);
  /** Methods with functions that return valid parameters. The test replaces some of the parameters. */
  const methods: readonly (readonly [name: string, ...parameters: (() => unknown)[]])[] = [
    ['eth_subscribe', () => pick(['newHeads', 'logs', 'syncing', 'newPendingTransactions']), () => ({ address })],
    ['eth_unsubscribe', () => address],
    ['eth_getBlockReceipts', tag],
    ['eth_getBalance', () => address, tag],
    ['eth_getCode', () => address, tag],
    ['eth_getStorageAt', () => address, () => '0x0', tag],
    ['eth_call', () => ({ ...call, to: address }), () => pick([tag(), { blockNumber: tag() }])],
    ['eth_feeHistory', () => pick(['0x3', 2]), tag, () => pick([null, [1, 99]])],
    ['eth_getTransactionCount', () => address, tag],
    [
      'eth_call',
      () => call,
      tag,
      () => ({ [known[0]!]: { code: '0x5f', balance: '0x5', stateDiff: { '0x1': '0x2' } } }),
    ],
    ['eth_estimateGas', () => call, tag, () => null],
    ['eth_getLogs', () => ({ fromBlock: tag(), address })],
    ['eth_newFilter', () => ({ fromBlock: tag(), address })],
    ['eth_uninstallFilter', () => '0x1'],
    ['eth_getFilterChanges', () => '0x1'],
    ['eth_getBlockByNumber', tag, () => false],
    ['eth_getTransactionByBlockNumberAndIndex', tag, () => '0x0'],
    ['debug_traceTransaction', () => id, () => pick([null, { tracer: 'callTracer' }, { limit: 3 }])],
    ['debug_traceCall', () => call, tag, () => pick([null, { tracer: 'callTracer' }, { enableMemory: true }])],
    ['debug_traceCall', () => call, tag, () => ({ ...tracing(), stateOverrides: state(), blockOverrides: seen() })],
    ['debug_traceTransaction', () => id, tracing],
    ['debug_traceBlockByNumber', low, tracing],
    ['trace_block', low],
    ['trace_transaction', () => id],
    ['trace_filter', () => ({ ...range(), ...half({ fromAddress: [address], toAddress: value(1) }) })],
    ['trace_call', () => call, () => pick([['trace'], ['stateDiff', 'trace'], value(1)]), tag],
    ['trace_replayTransaction', () => id, () => ['stateDiff']],
    ['eth_createAccessList', () => call, tag, () => pick([null, state()])],
    ['eth_simulateV1', () => ({ blockStateCalls: [block(), block()], ...half({ traceTransfers: true }) }), tag],
  ];
  const value = (depth: number): unknown => {
    const kind = random(depth > 2 ? 6 : 8);
    if (kind < 2) return pick(known);
    if (kind === 2) return pick(words);
    if (kind === 3) return pick([null, true, false, 0, -1, 1.5, 1e30, 2 ** 53]);
    if (kind === 4) return `0x${random(2 ** 30).toString(16)}`;
    if (kind === 5) return `0x${'f'.repeat(random(80))}`;
    if (kind === 6) return Array.from({ length: random(4) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: random(4) }, () => [pick(names), value(depth + 1)]));
  };
  const socket = new WebSocket(`ws://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`);
  const answers: string[] = [];
  let onReply = (): void => {};
  socket.on('message', (data) => {
    if (String(data).includes('"eth_subscription"')) return;
    answers.push(String(data));
    onReply();
  });
  socket.on('close', () => onReply());
  await new Promise((resolve) => socket.once('open', resolve));
  // Sends the next request after the response, because traces are long and the node closes connections that read
  // slowly.
  for (let number = 0; number < REQUESTS && socket.readyState === WebSocket.OPEN; number++) {
    const [method, ...parameters] = pick(methods);
    const params = parameters.map((make) => (random(4) === 0 ? value(0) : make()));
    if (random(10) === 0) params.push(value(0));
    const answered = new Promise<void>((resolve) => {
      onReply = resolve;
    });
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: number, method, params }));
    const timeout = setTimeout(() => onReply(), EVENT_TIMEOUT_MS);
    await answered;
    clearTimeout(timeout);
    if (answers.length <= number) break;
  }
  t.equal(answers.length, REQUESTS, `seed ${SEED}`);
  const parsed = answers.map(
    (text) => JSON.parse(text) as { id: unknown; result?: unknown; error?: { message: unknown } },
  );
  t.same(
    parsed.map(({ id }) => id),
    parsed.map((_, number) => number),
    'each response has the id of its request',
  );
  t.same(
    answers.filter((_, at) => parsed[at]?.error !== undefined && typeof parsed[at]?.error?.message !== 'string'),
    [],
    'each error has a message',
  );
  t.same(
    answers.filter((text) => text.includes('java.')),
    [],
    'no name of a Java class',
  );
  t.same(
    answers.filter((text) => text.includes('internal error')),
    [],
    'no internal error',
  );
  t.ok(parsed.filter(({ error }) => error === undefined).length > 300, 'some requests are valid');
  socket.close();
}
