import t from 'tap';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Recorded from java-tron 4.7.2: 216 blocks with contract calls. All tests of this file use one node.
const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true, debug: true }, until: 92 });
const BLOCKS = [50, 63, 81, 87, 92];
const PLACE = `0x${'c0'.repeat(20)}`;
const SENDER = `0x${'11'.repeat(20)}`;
const NO_WORD = `0x${'00'.repeat(32)}`;
const hex = (number: number): string => `0x${number.toString(16)}`;
const word = (value: bigint | number | string): string => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

interface Account {
  readonly balance?: string;
  readonly code?: string;
  readonly codeHash?: string;
  readonly nonce?: number;
  readonly storage?: Readonly<Record<string, string>>;
}
type Accounts = Readonly<Record<string, Account>>;
interface Diff {
  readonly pre: Accounts;
  readonly post: Accounts;
}
interface Traced<T> {
  readonly txHash: string;
  readonly result: T;
}

const traceBlock = <T>(number: number, config: object): Promise<readonly Traced<T>[]> =>
  rpc.get<readonly Traced<T>[]>('debug_traceBlockByNumber', [hex(number), config]);
const diffMode = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

t.test('reports state changes that lead from the state before a block to the state after it', async (t) => {
  let changed = 0;
  let slots = 0;
  for (const number of BLOCKS) {
    const now = new Map<string, string>();
    for (const { txHash, result } of await traceBlock<Diff>(number, diffMode)) {
      for (const [address, { balance, storage = {} }] of Object.entries(result.pre)) {
        const known = now.get(address) ?? (await rpc.get('eth_getBalance', [address, hex(number - 1)]));
        t.equal(balance, known, `${number} ${txHash}: balance of ${address} before`);
        for (const [slot, value] of Object.entries(storage)) {
          const key = `${address} ${slot}`;
          const before = now.get(key) ?? (await rpc.get('eth_getStorageAt', [address, slot, hex(number - 1)]));
          t.equal(value, before, `${number} ${txHash}: ${key} before`);
          now.set(key, result.post[address]?.storage?.[slot] ?? NO_WORD);
        }
      }
      for (const [address, { balance, storage = {} }] of Object.entries(result.post)) {
        changed++;
        if (balance !== undefined) now.set(address, balance);
        for (const [slot, value] of Object.entries(storage)) now.set(`${address} ${slot}`, value);
      }
    }
    for (const [key, value] of now) {
      const [address, slot] = key.split(' ');
      if (slot !== undefined) slots++;
      const question = slot === undefined ? ['eth_getBalance', address] : ['eth_getStorageAt', address, slot];
      const [method, ...of] = question as [string, ...string[]];
      t.equal(await rpc.get(method, [...of, hex(number)]), value, `${number}: ${key} after the block`);
    }
  }
  t.ok(changed > 100 && slots > 20, `${changed} accounts, ${slots} slots`);
});

t.test('returns a prestate sufficient to execute a transaction again', async (t) => {
  const number = 87;
  const infos = TransactionRet.decode(rpc.chain.ledger.block(number)!.results).transactioninfo;
  let compared = 0;
  for (const { id, result } of infos) {
    const hash = `0x${toHex(id)}`;
    const call = await rpc.get<{ from: string; to: string; input: string; type: string; output?: string }>(
      'debug_traceTransaction',
      [hash, { tracer: 'callTracer' }],
    );
    // The address of a contract that CREATE creates depends on the transaction id, so it is not compared.
    const isMaker = JSON.stringify(call).includes('"CREATE"');
    if (result === 1 || call.type !== 'CALL' || call.output === undefined || isMaker) continue;
    const pre = await rpc.get<Accounts>('debug_traceTransaction', [hash, { tracer: 'prestateTracer' }]);
    t.ok(pre[call.to]?.code !== undefined && pre[call.from]?.balance !== undefined, hash);
    const stateOverrides = Object.fromEntries(
      Object.entries(pre).map(([address, { balance, code, storage }]) => [
        address,
        { balance, ...(code !== undefined && { code, state: storage ?? {} }) },
      ]),
    );
    const { from, to, input } = call;
    // At height 1, the contracts do not exist. So the call succeeds only if it reads the overrides instead of the
    // state.
    const again = await rpc.get<{ output?: string; error?: string }>('debug_traceCall', [
      { from, to, input },
      '0x1',
      { tracer: 'callTracer', stateOverrides, blockOverrides: { number: hex(number) } },
    ]);
    t.equal(again.output, call.output, `${hash}: ${again.error}`);
    compared++;
  }
  t.ok(compared > 0, `${compared} calls`);
});

t.test('returns prestate codes, options and created accounts', async (t) => {
  const found = (await traceBlock<Diff>(63, diffMode)).concat(await traceBlock<Diff>(50, diffMode));
  const made = found.flatMap(({ result: { pre, post } }) =>
    Object.entries(post).filter(([address, { code }]) => pre[address] === undefined && code !== undefined),
  );
  t.ok(made.length > 0, 'the blocks created contracts');
  for (const [address, { code, codeHash }] of made) {
    t.match(codeHash, /^0x[0-9a-f]{64}$/);
    t.match(code, /^0x[0-9a-f]+$/, address);
  }
  const infos = TransactionRet.decode(rpc.chain.ledger.block(87)!.results).transactioninfo;
  const id = `0x${toHex(infos[0]!.id)}`;
  const traced = (tracerConfig: object) =>
    rpc.get<Accounts>('debug_traceTransaction', [id, { tracer: 'prestateTracer', tracerConfig }]);
  const whole = Object.values(await traced({}));
  t.ok(whole.some(({ code }) => code !== undefined));
  t.ok(whole.every(({ nonce }) => nonce === undefined));
  t.ok(Object.values(await traced({ disableCode: true })).every(({ code }) => code === undefined));
  t.ok(Object.values(await traced({ disableStorage: true })).every(({ storage }) => storage === undefined));
  // Code that reads BALANCE of an account that does not exist.
  const readsBalance = `0x73${'ab'.repeat(20)}31`;
  const options = (tracerConfig: object) => ({ tracer: 'prestateTracer', tracerConfig });
  const call = (config: object) =>
    rpc.get<Accounts>('debug_traceCall', [{ from: SENDER, data: readsBalance }, 'latest', config]);
  t.equal((await call(options({})))[`0x${'ab'.repeat(20)}`], undefined);
  t.same((await call(options({ includeEmpty: true })))[`0x${'ab'.repeat(20)}`], { balance: '0x0' });
  const both = options({ includeEmpty: true, diffMode: true });
  t.match(
    (await rpc.request('debug_traceCall', [{ data: readsBalance }, 'latest', both])).error?.message,
    /includeEmpty/,
  );
});

interface Call {
  readonly type: string;
  readonly from: string;
  /** Undefined for a failed creation. */
  readonly to?: string;
  readonly gasUsed: string;
  readonly input: string;
  readonly error?: string;
  readonly calls?: readonly Call[];
}
interface Flat {
  readonly action: Readonly<Record<string, string>>;
  readonly blockHash: string | null;
  readonly blockNumber: number;
  readonly error?: string;
  readonly result?: Readonly<Record<string, string>> | null;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly transactionHash: string | null;
  readonly transactionPosition: number;
  readonly type: string;
}

t.test('runs several tracers at once with the same results as separately', async (t) => {
  const config = { callTracer: { onlyTopCall: true }, prestateTracer: null, '4byteTracer': {}, noopTracer: null };
  const together = await traceBlock<Record<string, unknown>>(87, { tracer: 'muxTracer', tracerConfig: config });
  for (const [tracer, tracerConfig] of Object.entries(config)) {
    const alone = await traceBlock(87, { tracer, tracerConfig });
    t.same(
      together.map(({ result }) => result[tracer]),
      alone.map(({ result }) => result),
      tracer,
    );
  }
  const refusal = async (config: object) =>
    (await rpc.request('debug_traceBlockByNumber', ['0x57', config])).error?.message;
  t.match(await refusal({ tracer: 'muxTracer', tracerConfig: { muxTracer: {} } }), /cannot be nested/);
  t.match(await refusal({ tracer: 'muxTracer', tracerConfig: { other: {} } }), /callTracer, prestateTracer/);
});

t.test('the flat tracer returns the calls of the call tree with their trace addresses', async (t) => {
  const block = await rpc.get<{ hash: string }>('eth_getBlockByNumber', ['0x57', false]);
  const all = { tracer: 'flatCallTracer', tracerConfig: { includePrecompiles: true } };
  const flat = await rpc.get<readonly Traced<readonly Flat[]>[]>('debug_traceBlockByHash', [block.hash, all]);
  const trees = await traceBlock<Call>(87, { tracer: 'callTracer' });
  t.equal(flat.length, trees.length);
  let failures = 0;
  for (const [position, { txHash, result }] of flat.entries()) {
    t.equal(txHash, trees[position]!.txHash);
    const at = (address: readonly number[]): Call =>
      address.reduce((call: Call, index) => call.calls![index]!, trees[position]!.result);
    for (const each of result) {
      const call = at(each.traceAddress);
      t.match(each, { blockHash: block.hash, blockNumber: 87, transactionHash: txHash, transactionPosition: position });
      t.equal(each.subtraces, call.calls?.length ?? 0);
      t.equal(each.error, call.error);
      if (each.error !== undefined && each.error !== 'execution reverted') {
        failures++;
        t.equal(each.result, undefined);
      } else if (each.type !== 'suicide') t.equal(each.result!['gasUsed'], call.gasUsed);
      if (each.type === 'call') t.same([each.action['to'], each.action['input']], [call.to, call.input]);
      else if (each.type === 'create') t.same([each.action['from'], each.action['init']], [call.from, call.input]);
      else t.same([each.action['address'], each.action['refundAddress']], [call.from, call.to]);
    }
    const count = (call: Call): number => (call.calls ?? []).reduce((sum, inner) => sum + count(inner), 1);
    t.equal(result.length, count(trees[position]!.result));
  }
  t.ok(failures > 0, `${failures} failures`);
  const parity = await traceBlock<readonly Flat[]>(87, {
    tracer: 'flatCallTracer',
    tracerConfig: { convertParityErrors: true },
  });
  const words = new Set(parity.flatMap(({ result }) => result.flatMap(({ error }) => error ?? [])));
  t.ok(words.has('Reverted') || words.has('Out of gas') || words.has('Bad instruction'), [...words].join());
});

t.test('traces calls with state and block overrides', async (t) => {
  // Code that returns slot 7, NUMBER, TIMESTAMP, and BALANCE of the caller.
  const code = '0x6007545f5243602052426040523331606052608 05ff3'.replace(' ', '');
  const stateOverrides = {
    [PLACE]: { code, stateDiff: { [word(7)]: word(42) } },
    [SENDER]: { balance: '0x3039' },
  };
  const blockOverrides = { number: '0x100', time: '0x200' };
  const call = { from: SENDER, to: PLACE, input: '0x' };
  const expected = `0x${[42, 0x100, 0x200, 12345].map((value) => word(value).slice(2)).join('')}`;
  const config = { tracer: 'callTracer', stateOverrides, blockOverrides };
  t.equal((await rpc.get<{ output: string }>('debug_traceCall', [call, 'latest', config])).output, expected);
  const steps = await rpc.get<{ returnValue: string }>('debug_traceCall', [
    call,
    null,
    { stateOverrides, blockOverrides },
  ]);
  t.equal(`0x${steps.returnValue}`, expected);
  const plain = await rpc.get('debug_traceCall', [{ ...call, value: '0x0' }, 'latest', { tracer: 'callTracer' }]);
  t.match(
    plain,
    { type: 'CALL', to: PLACE, gasUsed: '0x0' },
    'the overrides do not persist, and a call to an address without code is a transfer',
  );
  // Code that stores 5 in slot 1, and sends 3 SUN to an address that differs from that of the caller.
  const writes = `0x60056001555f5f5f5f600373${'12'.repeat(20)}5af1`;
  const changes = await rpc.get<Diff>('debug_traceCall', [
    { from: SENDER, to: PLACE, value: '0x9', data: '0x' },
    'latest',
    {
      ...diffMode,
      stateOverrides: { [PLACE]: { code: writes, state: { [word(1)]: word(4) } }, [SENDER]: { balance: '0x10' } },
    },
  ]);
  t.match(changes.pre, { [PLACE]: { balance: '0x0', storage: { [word(1)]: word(4) } }, [SENDER]: { balance: '0x10' } });
  t.same(changes.post, {
    [SENDER]: { balance: '0x7' },
    [`0x${'12'.repeat(20)}`]: { balance: '0x3' },
    [PLACE]: { balance: '0x6', storage: { [word(1)]: word(5) } },
  });
  const transfer = await rpc.get<Diff>('debug_traceCall', [
    { from: SENDER, to: PLACE, value: '0x9' },
    'latest',
    { ...diffMode, stateOverrides: { [SENDER]: { balance: '0x10' } } },
  ]);
  t.same(transfer.post, { [SENDER]: { balance: '0x7' }, [PLACE]: { balance: '0x9' } });
  // Code that destroys the contract and sends the whole balance to the caller.
  const ends = { code: '0x33ff', balance: '0x7', state: { [word(1)]: word(4) } };
  const ended = await rpc.get<Diff>('debug_traceCall', [
    { from: SENDER, to: PLACE },
    'latest',
    { ...diffMode, stateOverrides: { [PLACE]: ends, [SENDER]: { balance: '0x1' } } },
  ]);
  t.match(ended.pre, { [PLACE]: { balance: '0x7', code: '0x33ff' }, [SENDER]: { balance: '0x1' } });
  t.same(ended.post, { [SENDER]: { balance: '0x8' } }, 'a destroyed account is only in the state before');
  const { error } = await rpc.request('debug_traceCall', [{ from: SENDER, to: PLACE, value: '0x9' }, 'latest', {}]);
  t.match(error?.message, /balance is not sufficient/);
});

t.test('shows no address of a failed creation', async (t) => {
  // Code that creates a contract from 16 bytes of init code.
  const create = (init: string): string => `6f${init.padEnd(32, '0')}5f52601060105ff0`;
  // The first init code returns a program, and the second reverts with a word of 42.
  const code = `0x${create('6133ff5f526002601ef3')}${create('602a5f5260205ffd')}00`;
  const { calls = [] } = await rpc.get<Call>('debug_traceCall', [
    { from: SENDER, to: PLACE },
    'latest',
    { tracer: 'callTracer', stateOverrides: { [PLACE]: { code } } },
  ]);
  t.match(
    calls.map(({ type, to, error }) => [type, typeof to, error]),
    [
      ['CREATE', 'string', undefined],
      ['CREATE', 'undefined', 'execution reverted'],
    ],
  );
});

const traced = (number: number): Promise<readonly Flat[]> => rpc.get('trace_block', [hex(number)]);

t.test('traces blocks and transactions in the format of Erigon', async (t) => {
  const config = { tracer: 'flatCallTracer', tracerConfig: { convertParityErrors: true } };
  let transfers = 0;
  for (const number of [1, 50, 87]) {
    const calls = await traced(number);
    const geth = (await traceBlock<readonly Flat[]>(number, config)).flatMap(({ result }) => result);
    t.same(
      calls.map(({ result, ...call }) => (result === null ? call : { ...call, result })),
      geth,
      `block ${number}`,
    );
    for (const { result, error, type } of calls)
      if (result === null) t.ok(type === 'suicide' || (error !== undefined && error !== 'Reverted'));
    transfers += calls.filter(({ action }) => action['input'] === '0x' && action['value'] !== '0x0').length;
    for (const id of new Set(calls.map(({ transactionHash }) => transactionHash)))
      t.same(
        await rpc.get('trace_transaction', [id]),
        calls.filter(({ transactionHash }) => transactionHash === id),
      );
  }
  t.ok(transfers > 0, `${transfers} transfers`);
  t.same(await traced(0), []);
  t.equal(await rpc.get('trace_transaction', [NO_WORD]), null);
});

t.test('filters calls by address with offset and count', async (t) => {
  const all: Flat[] = [];
  for (let number = 83; number <= 87; number++) all.push(...(await traced(number)));
  const range = { fromBlock: '0x53', toBlock: '0x57' };
  const filter = (more: object): Promise<readonly Flat[]> => rpc.get('trace_filter', [{ ...range, ...more }]);
  t.same(await filter({}), all);
  const called = all.filter(({ action }) => action['to'] !== undefined);
  const { from, to } = called.at(-1)!.action as { from: string; to: string };
  const isFrom = ({ action }: Flat): boolean => action['from'] === from || action['address'] === from;
  const isTo = ({ action, result, type }: Flat): boolean =>
    [action['to'], action['refundAddress'], type === 'create' ? result?.['address'] : undefined].includes(to);
  const sides = { fromAddress: [from], toAddress: [to] };
  t.same(await filter({ fromAddress: [from] }), all.filter(isFrom));
  t.same(await filter({ toAddress: to }), all.filter(isTo));
  t.same(
    await filter(sides),
    all.filter((call) => isFrom(call) || isTo(call)),
  );
  t.same(
    await filter({ ...sides, mode: 'intersection' }),
    all.filter((call) => isFrom(call) && isTo(call)),
  );
  t.same(await filter({ fromAddress: [], after: 3, count: '0x5' }), all.slice(3, 8));
  t.same(await filter({ fromAddress: [`0x${'ab'.repeat(20)}`] }), []);
});

interface Replay {
  readonly output: string;
  readonly trace: readonly Flat[];
  readonly stateDiff: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  readonly vmTrace: null;
  readonly transactionHash?: string;
}

t.test('replays calls and state changes', async (t) => {
  const replays = await rpc.get<readonly Replay[]>('trace_replayBlockTransactions', ['0x57', ['trace', 'stateDiff']]);
  const diffs = await traceBlock<Diff>(87, diffMode);
  t.equal(replays.length, diffs.length);
  const flat = (await traced(87)).map(({ action, traceAddress }) => ({ action, traceAddress }));
  t.same(
    replays.flatMap(({ trace }) => trace.map(({ action, traceAddress }) => ({ action, traceAddress }))),
    flat,
  );
  const kinds = new Set<string>();
  for (const [at, { stateDiff, transactionHash, vmTrace }] of replays.entries()) {
    const { txHash, result } = diffs[at]!;
    t.same([transactionHash, vmTrace], [txHash, null]);
    const changed = new Set([...Object.keys(result.pre), ...Object.keys(result.post)]);
    t.same(new Set(Object.keys(stateDiff!)), changed, txHash);
    for (const [address, { balance }] of Object.entries(stateDiff!)) {
      const [before, after] = [result.pre[address], result.post[address]];
      const kind = typeof balance === 'string' ? balance : Object.keys(balance as object)[0]!;
      kinds.add(kind);
      if (kind === '*') t.same(balance, { '*': { from: before?.balance ?? '0x0', to: after?.balance } });
      if (kind === '+') t.same(balance, { '+': after?.balance ?? '0x0' });
    }
  }
  t.ok(kinds.has('*'), [...kinds].join());
  const { transactionHash } = replays[0]!;
  const only = await rpc.get<Replay>('trace_replayTransaction', [transactionHash, ['stateDiff']]);
  t.same(only, { ...replays[0]!, trace: [] });
  const call = { from: SENDER, data: '0x60016002f3' };
  const { trace, stateDiff } = await rpc.get<Replay>('trace_call', [call, ['trace'], 'latest']);
  t.equal(stateDiff, null);
  t.match(trace, [{ type: 'create', subtraces: 0, traceAddress: [], action: { init: call.data, from: SENDER } }]);
});

t.test('rejects invalid requests', async (t) => {
  const refusals: readonly (readonly [method: string, params: readonly unknown[], text: RegExp])[] = [
    ['debug_traceBlockByNumber', ['0x0'], /genesis is not traceable/],
    ['debug_traceBlockByNumber', ['0x999'], /block not found/],
    ['debug_traceBlockByHash', [NO_WORD], /block not found/],
    ['debug_traceCall', [{ to: PLACE }, 'latest', { stateOverrides: [] }], /state overrides must be an object/],
    ['debug_traceCall', [{ to: PLACE }, 'latest', { blockOverrides: { x: 1 } }], /block override x is not supported/],
    ['debug_traceCall', [{ to: PLACE }, 'latest', { tracer: 7 }], /unknown tracer; use/],
    ['debug_traceCall', [{ to: PLACE }, 'latest', { txIndex: '0x1' }], /txIndex is not supported/],
    ['debug_traceCall', ['x', 'latest'], /a call must be an object/],
    ['trace_block', ['0x999'], /block not found/],
    ['trace_block', [{}], /invalid block number/],
    ['trace_filter', [{ fromBlock: '0x5', toBlock: '0x4' }], /fromBlock cannot be greater/],
    ['trace_filter', [{ mode: 'x' }], /use union or intersection/],
    ['trace_filter', [{ fromAddress: [7] }], /invalid fromAddress/],
    ['trace_filter', [{ count: -1 }], /invalid count/],
    ['trace_replayTransaction', [NO_WORD, []], /transaction not found/],
    ['trace_replayBlockTransactions', ['0x57', ['vmTrace']], /vmTrace is not supported/],
    ['trace_call', [{ to: PLACE }, 'trace'], /must be a list/],
  ];
  for (const [method, params, text] of refusals)
    t.match((await rpc.request(method, params)).error?.message, text, JSON.stringify(params));
});
