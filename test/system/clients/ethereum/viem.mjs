// Reads the chain with viem over JSON-RPC.
import { createPublicClient, http, webSocket } from 'viem';
import { countBlocks, feesOf, readChain } from './read-chain.mjs';

await readChain(async ({ url, socket, head, height, hash, tx, owner, program }) => {
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
  const [blockNumber, account] = [BigInt(height), owner];
  const filters = async (create) => {
    const filter = await create();
    const changes = await client.getFilterChanges({ filter });
    return [filter, changes];
  };
  return {
    readers: {
      eth_chainId: () => client.getChainId(),
      eth_blockNumber: () => client.getBlockNumber(),
      eth_gasPrice: () => client.getGasPrice(),
      eth_maxPriorityFeePerGas: () => client.estimateMaxPriorityFeePerGas(),
      eth_getBalance: () => client.getBalance({ address: owner, blockNumber }),
      eth_getCode: () => client.getCode({ address: program, blockNumber }),
      eth_getStorageAt: () => client.getStorageAt({ address: program, slot: '0x0', blockNumber }),
      eth_getTransactionCount: () => client.getTransactionCount({ address: owner }),
      eth_getBlockByNumber: () =>
        countBlocks(head, async (number) => {
          const block = await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true });
          return block.transactions.length;
        }),
      eth_getBlockByHash: async () => {
        const block = await client.getBlock({ blockHash: hash });
        return `${block.number} ${block.transactions.length}`;
      },
      eth_getBlockTransactionCountByHash: () => client.getBlockTransactionCount({ blockHash: hash }),
      eth_getBlockTransactionCountByNumber: () => client.getBlockTransactionCount({ blockNumber: BigInt(head) }),
      eth_getTransactionByHash: async () => {
        const found = await client.getTransaction({ hash: tx });
        return `${found.value} ${found.blockNumber === null} ${BigInt(found.r)} ${BigInt(found.s)}`;
      },
      eth_getTransactionByBlockHashAndIndex: async () =>
        (await client.getTransaction({ blockHash: hash, index: 0 })).from.toLowerCase(),
      eth_getTransactionByBlockNumberAndIndex: async () =>
        (await client.getTransaction({ blockNumber, index: 0 })).from.toLowerCase(),
      eth_getTransactionReceipt: async () => {
        const receipt = await client.getTransactionReceipt({ hash: tx });
        return `${receipt.status === 'success' ? 1 : 0} ${receipt.blockNumber} ${receipt.transactionIndex}`;
      },
      eth_getLogs: async () => (await client.getLogs({ fromBlock: 0n, toBlock: BigInt(head) })).length,
      eth_newFilter: async () => {
        const filter = await client.createEventFilter({ fromBlock: 0n });
        return filter.type;
      },
      eth_newBlockFilter: async () => (await client.createBlockFilter()).type,
      eth_getFilterChanges: async () => (await filters(() => client.createBlockFilter()))[1].length,
      eth_getFilterLogs: async () => {
        const filter = await client.createEventFilter({ fromBlock: 0n, toBlock: BigInt(head) });
        return (await client.getFilterLogs({ filter })).length;
      },
      eth_uninstallFilter: async () => client.uninstallFilter({ filter: await client.createBlockFilter() }),
      eth_feeHistory: async () => {
        const fees = await client.getFeeHistory({ blockCount: 3, rewardPercentiles: [10, 90] });
        return feesOf(fees.oldestBlock, fees.baseFeePerGas, fees.gasUsedRatio, fees.reward);
      },
      eth_call: async () => (await client.call({ account, to: program, blockNumber })).data ?? '0x',
      eth_estimateGas: () => client.estimateGas({ account, to: program }),
      eth_createAccessList: async () => (await client.createAccessList({ account, to: program })).accessList.length,
      eth_simulateV1: async () => {
        const [block] = await client.simulateBlocks({ blocks: [{ calls: [{ account, to: program }] }] });
        return `${block.number} ${block.calls.length}`;
      },
      eth_subscribe: () =>
        new Promise((resolve, reject) => {
          const live = createPublicClient({ transport: webSocket(socket) });
          live.watchBlocks({ onBlock: ({ number }) => resolve(number > BigInt(head)), onError: reject });
        }),
    },
  };
});
