// Reads the chain with Hardhat's provider over HTTP. Reads a request from standard input and prints the answer as one
// line of JSON.
import { text } from 'node:stream/consumers';

const { url, root, transaction, height } = JSON.parse(await text(process.stdin));
const { createHardhatRuntimeEnvironment } = await import(`${root}/node_modules/hardhat/dist/src/hre.js`);
const hre = await createHardhatRuntimeEnvironment({ networks: { tronicle: { type: 'http', url } } });
const { provider } = await hre.network.connect('tronicle');
const ask = (method, params = []) => provider.request({ method, params });
const block = await ask('eth_getBlockByNumber', [height, true]);
const snapshots = await ask('evm_snapshot').catch(({ message }) => message);
process.stdout.write(
  JSON.stringify({
    chainId: await ask('eth_chainId'),
    number: await ask('eth_blockNumber'),
    block: { hash: block.hash, transactions: block.transactions.length },
    receipt: (await ask('eth_getTransactionReceipt', [transaction])).status,
    fees: await ask('eth_feeHistory', ['0x1', 'latest', [50]]),
    traces: (await ask('trace_transaction', [transaction])).length,
    tree: (await ask('debug_traceTransaction', [transaction, { tracer: 'callTracer' }])).type,
    simulated: (await ask('eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest'])).length,
    accounts: await ask('eth_accounts'),
    snapshots,
  }),
);
await provider.close?.();
