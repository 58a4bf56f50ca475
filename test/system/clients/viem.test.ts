import { readFileSync } from 'node:fs';
import t from 'tap';
import { TronWeb } from 'tronweb';
import { createPublicClient, http, type Log, parseAbi, webSocket } from 'viem';
import { untilServed } from '../../support/until.js';
import { FULL_NODE, startPrivateNetwork } from './private-network.js';

const register = JSON.parse(readFileSync(new URL('register.json', import.meta.url), 'utf8')) as {
  readonly name: string;
  readonly bytecode: string;
  readonly abi: never[];
};
const abi = parseAbi(['function value() view returns (uint256)', 'event Changed(address indexed by, uint256 value)']);

t.test('viem reads contracts and watches blocks and events of a private network', async (t) => {
  const [owner, receiver] = await startPrivateNetwork(t);
  const web = new TronWeb({ fullHost: FULL_NODE, privateKey: owner!.privateKey });
  const client = createPublicClient({ transport: http('http://127.0.0.1:8545/jsonrpc') });
  const live = createPublicClient({
    transport: webSocket('ws://127.0.0.1:8545/jsonrpc', { reconnect: false }),
  });
  const evm = (address: string): `0x${string}` => `0x${web.address.toHex(address).slice(2)}`;

  const heads: bigint[] = [];
  const logs: Log[] = [];
  const onError = (error: Error): void => {
    t.fail(error.message);
  };
  const stops = [
    live.watchBlockNumber({ onBlockNumber: (number) => heads.push(number), onError }),
    live.watchContractEvent({ abi, eventName: 'Changed', onLogs: (found) => logs.push(...found), onError }),
  ];

  const created = await web.transactionBuilder.createSmartContract(
    { ...register, feeLimit: 1_000_000_000, parameters: [5] },
    owner!.address,
  );
  const send = async (built: object): Promise<`0x${string}`> => {
    const { txid } = await web.trx.sendRawTransaction((await web.trx.sign(built as never)) as never);
    await untilServed('the block', async () => client.getTransactionReceipt({ hash: `0x${txid}` }));
    return `0x${txid}`;
  };
  await send(created);
  const address = `0x${created.contract_address.slice(2)}` as const;
  t.equal(await client.readContract({ address, abi, functionName: 'value' }), 5n);
  const call = await web.transactionBuilder.triggerSmartContract(
    created.contract_address,
    'set(uint256)',
    { feeLimit: 1_000_000_000 },
    [{ type: 'uint256', value: 42 }],
  );
  const hash = await send(call.transaction);
  t.equal(await client.readContract({ address, abi, functionName: 'value' }), 42n);
  const receipt = await client.getTransactionReceipt({ hash });
  t.match(receipt, { status: 'success', transactionHash: hash });
  const [log] = await client.getContractEvents({ address, abi, eventName: 'Changed', fromBlock: 1n });
  t.match(log, { transactionHash: hash, args: { value: 42n } });
  t.equal(log!.args.by?.toLowerCase(), evm(owner!.address));
  t.equal((await client.getTransaction({ hash })).blockHash, receipt.blockHash);
  t.equal((await client.getBlock({ blockHash: receipt.blockHash })).number, receipt.blockNumber);
  t.equal(
    await client.getBalance({ address: evm(receiver!.address) }),
    BigInt(await web.trx.getUnconfirmedBalance(receiver!.address)),
  );
  t.equal(BigInt((await client.getStorageAt({ address, slot: '0x0' })) ?? 0), 42n);

  await untilServed('the subscription', async () => heads.length > 3 && logs.length > 0);
  t.equal(logs.length, 1, 'the event was pushed once');
  t.match(logs[0], { transactionHash: hash, args: { value: 42n } });
  for (const stop of stops) stop();
  (await live.transport.getRpcClient()).close();
});
