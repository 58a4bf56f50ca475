// Reads the chain with web3.js over JSON-RPC.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { countBlocks, feesOf, readChain } from './read-chain.mjs';

await readChain(async ({ url, socket, head, height, hash, tx, owner, program, root }) => {
  const { Web3 } = createRequire(join(root, 'package.json'))('web3');
  const { eth } = new Web3(url);
  const call = { from: owner, to: program };
  return {
    readers: {
      net_version: () => eth.net.getId(),
      net_listening: () => eth.net.isListening(),
      net_peerCount: () => eth.net.getPeerCount(),
      web3_clientVersion: () => eth.getNodeInfo(),
      eth_chainId: () => eth.getChainId(),
      eth_blockNumber: () => eth.getBlockNumber(),
      eth_protocolVersion: async () => BigInt(await eth.getProtocolVersion()),
      eth_syncing: () => eth.isSyncing(),
      eth_mining: () => eth.isMining(),
      eth_hashrate: () => eth.getHashRate(),
      eth_accounts: async () => (await eth.getAccounts()).length,
      eth_coinbase: async () => (await eth.getCoinbase()).toLowerCase(),
      eth_gasPrice: () => eth.getGasPrice(),
      eth_maxPriorityFeePerGas: () => eth.getMaxPriorityFeePerGas(),
      eth_getWork: async () => (await eth.getWork()).length,
      eth_getBalance: () => eth.getBalance(owner, height),
      eth_getCode: () => eth.getCode(program, height),
      eth_getStorageAt: () => eth.getStorageAt(program, 0, height),
      eth_getTransactionCount: () => eth.getTransactionCount(owner),
      eth_getBlockByNumber: () =>
        countBlocks(head, async (number) => ((await eth.getBlock(number, true)).transactions ?? []).length),
      eth_getBlockByHash: async () => {
        const block = await eth.getBlock(hash);
        return `${block.number} ${block.transactions.length}`;
      },
      eth_getBlockTransactionCountByHash: () => eth.getBlockTransactionCount(hash),
      eth_getBlockTransactionCountByNumber: () => eth.getBlockTransactionCount(head),
      eth_getTransactionByHash: async () => {
        const found = await eth.getTransaction(tx);
        return `${found.value} ${found.blockNumber === undefined} ${BigInt(found.r)} ${BigInt(found.s)}`;
      },
      eth_getTransactionByBlockHashAndIndex: async () =>
        (await eth.getTransactionFromBlock(hash, 0)).from.toLowerCase(),
      eth_getTransactionByBlockNumberAndIndex: async () =>
        (await eth.getTransactionFromBlock(height, 0)).from.toLowerCase(),
      eth_getTransactionReceipt: async () => {
        const receipt = await eth.getTransactionReceipt(tx);
        return `${receipt.status} ${receipt.blockNumber} ${receipt.transactionIndex}`;
      },
      eth_getLogs: async () => (await eth.getPastLogs({ fromBlock: 0, toBlock: head })).length,
      eth_feeHistory: async () => {
        const fees = await eth.getFeeHistory(3, 'latest', [10, 90]);
        return feesOf(fees.oldestBlock, fees.baseFeePerGas, fees.gasUsedRatio, fees.reward);
      },
      eth_call: () => eth.call(call, height),
      eth_estimateGas: () => eth.estimateGas(call),
      eth_createAccessList: async () => (await eth.createAccessList(call)).accessList.length,
      eth_subscribe: async () => {
        const live = new Web3(socket);
        const heads = await live.eth.subscribe('newBlockHeaders');
        return new Promise((resolve, reject) => {
          heads.on('data', ({ number }) => resolve(Number(number) > head));
          heads.on('error', reject);
        });
      },
    },
  };
});
