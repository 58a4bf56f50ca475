import { readFileSync } from 'node:fs';
import { createConfig, factory } from 'ponder';
import { parseAbiItem } from 'viem';
import { factoryAbi, tokenAbi, vaultAbi } from './abis';

interface Deployed {
  readonly address: `0x${string}`;
  readonly block: number;
}

const deployment = JSON.parse(readFileSync('deployment.json', 'utf8')) as Record<'token' | 'factory', Deployed>;
const created = { address: deployment.factory.address, startBlock: deployment.factory.block };

export default createConfig({
  chains: {
    tron: {
      // Chain id of a private network (tronicle.devnet.chainId). The chain id of the main net is 728126428.
      id: 1337,
      rpc: process.env['PONDER_RPC_URL'] ?? 'http://localhost:8545/jsonrpc',
    },
  },
  contracts: {
    Token: {
      chain: 'tron',
      abi: tokenAbi,
      address: deployment.token.address,
      startBlock: deployment.token.block,
      includeTransactionReceipts: true,
    },
    Factory: { chain: 'tron', abi: factoryAbi, ...created },
    Vault: {
      chain: 'tron',
      abi: vaultAbi,
      address: factory({
        address: deployment.factory.address,
        event: parseAbiItem('event VaultCreated(address indexed vault, address indexed owner)'),
        parameter: 'vault',
      }),
      startBlock: deployment.factory.block,
    },
  },
});
