import { parseAbi } from 'viem';

export const tokenAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
]);
export const factoryAbi = parseAbi(['event VaultCreated(address indexed vault, address indexed owner)']);
export const vaultAbi = parseAbi([
  'event Deposited(address indexed from, uint256 value)',
  'function total() view returns (uint256)',
]);
