// Reads the chain with ethers over JSON-RPC.
import { JsonRpcProvider, WebSocketProvider } from 'ethers';
import { countBlocks, readChain } from './read-chain.mjs';

await readChain(async ({ url, socket, head, height, hash, tx, owner, program }) => {
  const provider = new JsonRpcProvider(url, undefined, { batchMaxCount: 1 });
  const call = { from: owner, to: program };
  return {
    close: () => provider.destroy(),
    readers: {
      eth_chainId: async () => (await provider.getNetwork()).chainId,
      eth_blockNumber: () => provider.getBlockNumber(),
      eth_accounts: async () => (await provider.listAccounts()).length,
      eth_gasPrice: async () => (await provider.getFeeData()).gasPrice,
      eth_maxPriorityFeePerGas: async () => (await provider.getFeeData()).maxPriorityFeePerGas,
      eth_getBalance: () => provider.getBalance(owner, height),
      eth_getCode: () => provider.getCode(program, height),
      eth_getStorageAt: () => provider.getStorage(program, 0, height),
      eth_getTransactionCount: () => provider.getTransactionCount(owner),
      eth_getBlockByNumber: () =>
        countBlocks(head, async (number) => (await provider.getBlock(number, true)).prefetchedTransactions.length),
      eth_getBlockByHash: async () => {
        const block = await provider.getBlock(hash);
        return `${block.number} ${block.transactions.length}`;
      },
      eth_getTransactionByHash: async () => {
        const found = await provider.getTransaction(tx);
        return `${found.value} ${found.blockNumber === null} ${BigInt(found.signature.r)} ${BigInt(found.signature.s)}`;
      },
      eth_getTransactionReceipt: async () => {
        const receipt = await provider.getTransactionReceipt(tx);
        return `${receipt.status} ${receipt.blockNumber} ${receipt.index}`;
      },
      eth_getLogs: async () => (await provider.getLogs({ fromBlock: 0, toBlock: head })).length,
      eth_call: () => provider.call({ ...call, blockTag: height }),
      eth_estimateGas: () => provider.estimateGas(call),
      eth_subscribe: () =>
        new Promise((resolve, reject) => {
          const live = new WebSocketProvider(socket);
          live.on('error', reject).catch(reject);
          live.on('block', (number) => resolve(number > head)).catch(reject);
        }),
    },
  };
});
