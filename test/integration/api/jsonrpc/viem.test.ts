import t from 'tap';
import { createPublicClient, http, type Log, webSocket } from 'viem';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { EVENT_TIMEOUT_MS } from '../../../support/event-timeout.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Runs viem, an Ethereum client that does not know TRON, on a chain recorded from java-tron 4.7.2.
const RECORDING = 'tvm-forks-14-shanghai';
const ALL = {
  history: true,
  finalityTags: true,
  blockReceipts: true,
  revertData: true,
  subscriptions: true,
  debug: true,
};

t.test('viem reads blocks, receipts, logs and state over HTTP', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 95 });
  const client = createPublicClient({ transport: http(`http://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`) });
  const { headNumber, solidifiedNumber } = rpc.chain.ledger.position;
  t.equal(await client.getBlockNumber(), BigInt(headNumber));
  t.equal(await client.getChainId(), Number(await rpc.get('eth_chainId', [])));
  const block = await client.getBlock({ blockNumber: 87n, includeTransactions: true });
  t.equal(block.number, 87n);
  t.equal((await client.getBlock({ blockHash: block.hash })).hash, block.hash);
  t.equal((await client.getBlock({ blockTag: 'finalized' })).number, BigInt(solidifiedNumber));
  t.equal(await client.getBlockTransactionCount({ blockNumber: 87n }), block.transactions.length);

  const infos = TransactionRet.decode(rpc.chain.ledger.block(87)!.results).transactioninfo;
  const at = infos.findIndex(({ log }) => log.length > 0);
  const hash = block.transactions[at]!.hash;
  t.equal((await client.getTransaction({ hash })).transactionIndex, at);
  const receipt = await client.getTransactionReceipt({ hash });
  t.equal(receipt.status, 'success');
  t.equal(receipt.gasUsed, infos[at]!.receipt!.energyUsageTotal);
  const logs = await client.getLogs({ fromBlock: 1n, toBlock: 'latest' });
  t.equal(logs.length, (await rpc.get<unknown[]>('eth_getLogs', [{ fromBlock: '0x1' }])).length);
  const [log] = receipt.logs;
  const same = await client.getLogs({ address: log!.address, fromBlock: 87n, toBlock: 87n });
  t.ok(same.some(({ transactionHash, logIndex }) => transactionHash === hash && logIndex === log!.logIndex));

  const contract = `0x${toHex(infos[at]!.contractAddress).slice(2)}` as const;
  t.equal(
    await client.getBalance({ address: contract }),
    rpc.chain.state.account(`41${contract.slice(2)}` as never)!.balance,
  );
  t.match(await client.getBalance({ address: contract, blockNumber: 80n }), 0n);
  t.match(await client.getCode({ address: contract }), /^0x[0-9a-f]+$/);
  t.equal(
    await client.getCode({ address: contract, blockNumber: 60n }),
    undefined,
    'the contract did not exist at height 60',
  );
  t.match(await client.getStorageAt({ address: contract, slot: '0x0' }), /^0x[0-9a-f]{64}$/);
  t.ok(await client.call({ to: contract, data: '0x' }));
  t.ok((await client.getGasPrice()) > 0n);
  const trace = await client.request({
    method: 'debug_traceTransaction' as never,
    params: [hash, { tracer: 'callTracer' }] as never,
  });
  t.match(trace, { to: contract });
});

t.test('viem watches blocks and logs over WebSocket', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 70 });
  const transport = webSocket(`ws://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`, { reconnect: false });
  const client = createPublicClient({ transport });
  t.equal(await client.getBlockNumber(), 70n);
  const numbers: bigint[] = [];
  const heads: bigint[] = [];
  const logs: Log[] = [];
  const failed = (error: Error): void => {
    t.fail(error.message);
  };
  const stops = [
    client.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number), onError: failed }),
    client.watchBlocks({ onBlock: ({ number }) => heads.push(number), onError: failed }),
    client.watchEvent({ onLogs: (found) => logs.push(...found), onError: failed }),
  ];
  const until = async (isReached: () => boolean): Promise<void> => {
    for (const end = Date.now() + EVENT_TIMEOUT_MS; !isReached() && Date.now() < end; )
      await new Promise((r) => setTimeout(r, 20));
  };
  // viem is not ready for events yet when the acknowledgement arrives. Waits until it is ready.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await rpc.pushTo(85);
  const expected = await client.getLogs({ fromBlock: 71n, toBlock: 85n });
  await until(() => numbers.length === 15 && heads.length === 15 && logs.length === expected.length);
  const heights = Array.from({ length: 15 }, (_, at) => BigInt(71 + at));
  t.same(numbers, heights);
  t.same(heads, heights);
  t.ok(expected.length > 0);
  t.same(
    logs.map(({ transactionHash, logIndex }) => [transactionHash, logIndex]),
    expected.map(({ transactionHash, logIndex }) => [transactionHash, logIndex]),
  );
  for (const stop of stops) stop();
  const socket = await client.transport.getRpcClient();
  socket.close();
});
