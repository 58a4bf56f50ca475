import t from 'tap';
import { TransactionRet } from '../../src/log/codec/generated/messages.js';
import { toHex } from '../../src/log/domain/bytes.js';
import type { TraceThread as Thread } from '../../src/node/trace-thread/trace-thread.js';
import { serveRpc } from '../api/jsonrpc/support/served-rpc.js';
import { silent } from '../projections/support/chain.js';

// The thread exists only compiled; what it answers is compared with what the serving thread answers.
const { TraceThread } = (await import(
  new URL('../../dist/node/trace-thread/trace-thread.js', import.meta.url).href
)) as { TraceThread: typeof Thread };

const RECORDING = 'tvm-forks-14-shanghai';

t.test('another thread traces the same, and sees the blocks that come', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { debug: true }, until: 81 });
  const thread = new TraceThread({ ledger: rpc.chain.ledger, dataDir: rpc.dataDir, config: rpc.config, log: silent });
  const idsOf = (number: number): string[] =>
    TransactionRet.decode(rpc.chain.ledger.block(number)!.results).transactioninfo.map(({ id }) => `0x${toHex(id)}`);
  const tracer = new Map([['tracer', 'callTracer']]);
  for (const number of [81, 87]) {
    await rpc.pushTo(number);
    for (const id of idsOf(number).slice(0, 8)) {
      const here = await rpc.get('debug_traceTransaction', [id, { tracer: 'callTracer' }]);
      t.same(JSON.parse((await thread.run('head', { id, config: tracer })).text), here, id);
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
  const text = await thread.run('head', { args, block: new Map([['blockNumber', '0x50']]), config: null });
  t.match(JSON.parse(text.text), { failed: true, structLogs: [{ op: 'PUSH0' }, { op: 'PUSH0' }, { op: 'REVERT' }] });
  await t.rejects(thread.run('head', { id: `0x${'00'.repeat(32)}`, config: null }), {
    message: 'transaction not found',
  });
  await t.rejects(thread.run('head', { id: null, config: null }), { code: 'java.lang.NullPointerException' });

  const [id] = idsOf(81) as [string];
  const many = Array.from({ length: 30 }, () => thread.run('head', { id, config: tracer }));
  const outcomes = await Promise.allSettled(many);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  t.equal(refused.length, 13, 'one is under way, sixteen wait');
  t.match(refused[0], { reason: { text: 'too many traces wait' } });

  const broken = thread.run('head', { id, config: tracer });
  await thread.close();
  await t.rejects(broken, { message: 'the trace was broken off' });
});
