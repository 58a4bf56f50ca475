import t from 'tap';
import { TraceLimits } from '../../../../src/api/jsonrpc/tracing/trace-limits.js';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { precompileRows } from '../../../../src/vm/precompiles/table.js';
import { type ServedRpc, serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Recorded from java-tron 4.7.2. The receipts contain energy, calls and logs of each contract call.
const RECORDING = 'tvm-forks-14-shanghai';

interface Call {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly gasUsed: string;
  readonly value?: string;
  readonly error?: string;
  readonly output?: string;
  readonly calls?: readonly Call[];
  readonly logs?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly error?: string;
  readonly stack?: readonly string[];
  readonly memory?: readonly string[];
  readonly storage?: Readonly<Record<string, string>>;
}

interface StructTrace {
  readonly gas: number;
  readonly failed: boolean;
  readonly returnValue: string;
  readonly structLogs: readonly Step[];
}

function infosOf({ chain }: ServedRpc, number: number) {
  return TransactionRet.decode(chain.ledger.block(number)!.results).transactioninfo;
}

const inner = (call: Call): Call[] => (call.calls ?? []).flatMap((each) => [each, ...inner(each)]);
const logsOf = (call: Call): { address: string; topics: readonly string[]; data: string }[] =>
  call.error === undefined ? [...(call.logs ?? []), ...(call.calls ?? []).flatMap(logsOf)] : [];
/** Addresses of precompiles. Receipts do not contain calls of precompiles. This chain has no shielded precompiles. */
const precompiles = new Set(
  precompileRows.flatMap(([address, , since]) => (since === 'shieldedTrc20' ? [] : [address])),
);
const isNoted = ({ to, error, type }: Call): boolean =>
  !precompiles.has(Number(to)) && error !== 'call failed' && type !== 'SELFDESTRUCT';

t.test('executes past programs with the result of their receipts', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 92 });
  let calls = 0;
  let failures = 0;
  for (const number of [50, 62, 63, 78, 81, 87, 90, 92]) {
    for (const info of infosOf(rpc, number)) {
      const id = `0x${toHex(info.id)}`;
      const config = { tracer: 'callTracer', tracerConfig: { withLog: true } };
      const trace = await rpc.get<Call>('debug_traceTransaction', [id, config]);
      const name = `block ${number}, ${id}`;
      t.equal(Number(trace.gasUsed), Number(info.receipt?.energyUsageTotal ?? 0n), name);
      t.equal(trace.error !== undefined, info.result === 1, `${name}: ${trace.error}`);
      if (info.result === 1) {
        failures++;
        continue;
      }
      const noted = info.internalTransactions
        .filter(({ note }) => ['call', 'create'].includes(Buffer.from(note).toString()))
        .map(({ callerAddress, transferToAddress }) => [toHex(callerAddress), toHex(transferToAddress)]);
      const made = inner(trace).filter(isNoted);
      calls += made.length;
      t.equal(made.length, noted.length, `${name}: calls`);
      t.same(
        logsOf(trace)
          .map(({ address, topics, data }) => [address, topics, data])
          .sort(),
        info.log
          .map((log) => [
            `0x${toHex(log.address)}`,
            log.topics.map((topic) => `0x${toHex(topic)}`),
            `0x${toHex(log.data)}`,
          ])
          .sort(),
        `${name}: logs`,
      );
    }
  }
  t.ok(calls > 200 && failures > 10, `${calls} calls, ${failures} failures`);
});

t.test('traces price, stack, storage and memory of operations, and omits disabled parts', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 92 });
  let seen = 0;
  for (const info of [...infosOf(rpc, 81), ...infosOf(rpc, 87).slice(0, 40)]) {
    const id = `0x${toHex(info.id)}`;
    const trace = await rpc.get<StructTrace>('debug_traceTransaction', [id]);
    t.equal(trace.gas, Number(info.receipt?.energyUsageTotal ?? 0n), id);
    t.equal(trace.failed, info.result === 1, id);
    t.equal(trace.returnValue, toHex(info.contractResult[0]!), id);
    let isPriced = true;
    for (const [at, step] of trace.structLogs.entries()) {
      const next = trace.structLogs[at + 1];
      const isPlain = next?.depth === step.depth && !/CALL|CREATE/.test(step.op);
      if (isPlain && next.gas !== step.gas - step.gasCost) isPriced = false;
      if ((step.storage !== undefined) !== (/^S(LOAD|STORE)$/.test(step.op) && step.error === undefined))
        isPriced = false;
    }
    t.ok(isPriced, `${id}: the remaining energy follows from the prices`);
    seen += trace.structLogs.length;
  }
  t.ok(seen > 1000, `${seen} operations`);
  const id = `0x${toHex(infosOf(rpc, 87)[5]!.id)}`;
  const slim = await rpc.get<StructTrace>('debug_traceTransaction', [
    id,
    { disableStack: true, disableStorage: true, enableMemory: true, limit: 7 },
  ]);
  t.ok(slim.structLogs.length <= 7);
  for (const step of slim.structLogs) t.same([step.stack, step.storage], [undefined, undefined]);
  t.ok(slim.structLogs.every(({ memory }) => memory?.every((word) => /^[0-9a-f]{64}$/.test(word))));
});

t.test('traces unsent calls at the head and in the past', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 97 });
  const from = `0x${'11'.repeat(20)}`;
  // Code that reverts with the four bytes deadbeef.
  const code = '0x63deadbeef5f526004601cfd';
  const top = await rpc.get<Call>('debug_traceCall', [{ from, data: code }, 'latest', { tracer: 'callTracer' }]);
  t.match(top, { type: 'CREATE', from, error: 'execution reverted', output: '0xdeadbeef' });
  const steps = await rpc.get<StructTrace>('debug_traceCall', [{ from, data: code }, '0x60']);
  t.same(
    steps.structLogs.map(({ op, depth }) => [op, depth]),
    ['PUSH4', 'PUSH0', 'MSTORE', 'PUSH1', 'PUSH1', 'REVERT'].map((op) => [op, 1]),
  );
  t.match(steps, { failed: true, returnValue: 'deadbeef' });
  t.same(steps.structLogs[2]!.stack, ['0xdeadbeef', '0x0']);
  const invalid = await rpc.get<StructTrace>('debug_traceCall', [{ from, data: '0x01' }, 'latest']);
  t.match(invalid.structLogs, [{ op: 'ADD', error: 'Expected stack size 2 but actual 0;' }]);
  const only = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  const id = `0x${toHex(infosOf(rpc, 87)[0]!.id)}`;
  t.equal((await rpc.get<Call>('debug_traceTransaction', [id, only])).calls, undefined);
});

t.test('counts called functions by selector and argument size', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 92 });
  let seen = 0;
  for (const info of infosOf(rpc, 87)) {
    const id = `0x${toHex(info.id)}`;
    const root = await rpc.get<Call & { input: string }>('debug_traceTransaction', [id, { tracer: 'callTracer' }]);
    const expected: Record<string, number> = {};
    for (const { type, input } of [root, ...inner(root)] as (Call & { input: string })[]) {
      const bytes = Buffer.from(input.slice(2), 'hex');
      if (type.startsWith('CREATE') || type === 'SELFDESTRUCT' || bytes.length < 4) continue;
      const key = `0x${bytes.subarray(0, 4).toString('hex')}-${bytes.length - 4}`;
      expected[key] = (expected[key] ?? 0) + 1;
      seen++;
    }
    t.same(await rpc.get('debug_traceTransaction', [id, { tracer: '4byteTracer' }]), expected, id);
  }
  t.ok(seen > 0, `${seen} calls`);
});

t.test('rejects invalid requests and applies limits', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 60 });
  const errorOf = async (method: string, params: readonly unknown[]) =>
    (await rpc.request(method, params)).error?.message;
  const from = `0x${'11'.repeat(20)}`;
  t.equal(await errorOf('debug_traceTransaction', [`0x${'00'.repeat(32)}`]), 'transaction not found');
  t.match(
    await errorOf('debug_traceCall', [{ from, data: '0x00' }, 'latest', { tracer: 'otherTracer' }]),
    /callTracer/,
  );
  t.match(
    await errorOf('debug_traceCall', [{ from, data: '0x00' }, 'latest', { stateOverrides: { '0x12': {} } }]),
    /invalid address/,
  );
  t.equal(await errorOf('debug_traceCall', [{ from, data: '0x00' }, '0x999']), 'header not found');
  // Endless loop of fifty PUSH0 and fifty POP. It ends when its energy is used up, or at the size limit of the trace.
  const loop = `0x5b${'5f'.repeat(50)}${'50'.repeat(50)}5f56`;
  t.match(await errorOf('debug_traceCall', [{ from, data: loop }, 'latest']), /^trace exceeds/);
  const [first] = infosOf(rpc, 60);
  const past = await rpc.get<Call>('debug_traceTransaction', [`0x${toHex(first!.id)}`, { tracer: 'callTracer' }]);
  t.ok(past.type, 'the head is unchanged');
  const limits = new TraceLimits({ timeMs: -1, charactersMax: 10 });
  limits.add(10);
  t.throws(() => limits.add(1), { message: /exceeds 10 characters/ });
  t.throws(() => limits.step(), { message: /exceeds its time limit/ });
});
