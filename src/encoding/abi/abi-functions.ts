import { SmartContractABIEntryEntryType as EntryType } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { toHex, utf8 } from '../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';
import type { AbiInput } from './abi-type.js';
import type { AbiEntries } from './decode-event.js';

export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly AbiInput[];
}

/**
 * Returns the functions of an ABI by selector (hex). If several functions have the same selector, returns the first of
 * them.
 */
export function functionsOfAbi({ entrys }: AbiEntries): ReadonlyMap<string, AbiFunction> {
  const functions = new Map<string, AbiFunction>();
  for (const { type, name, inputs } of entrys) {
    if (type !== EntryType.Function) continue;
    const selector = selectorOf({ name, inputs });
    if (!functions.has(selector)) functions.set(selector, { name, inputs });
  }
  return functions;
}

/** Returns the selector (hex) of a function. */
export function selectorOf({ name, inputs }: AbiFunction): string {
  const signature = `${name}(${inputs.map(({ type }) => type).join(',')})`;
  return toHex(keccak256(utf8(signature)).subarray(0, SELECTOR_BYTES));
}

/**
 * Functions of TRC20, TRC721 and TRC1155 that wallets call. They decode calls of contracts that have no ABI on the
 * chain, and calls through a proxy contract.
 */
const STANDARD = [
  'transfer(address to,uint256 value)',
  'approve(address spender,uint256 value)',
  'transferFrom(address from,address to,uint256 value)',
  'safeTransferFrom(address from,address to,uint256 tokenId)',
  'safeTransferFrom(address from,address to,uint256 tokenId,bytes data)',
  'safeTransferFrom(address from,address to,uint256 id,uint256 value,bytes data)',
  'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] values,bytes data)',
  'setApprovalForAll(address operator,bool approved)',
];

/** Functions of the token standards, by selector (hex). */
export const standardFunctions: ReadonlyMap<string, AbiFunction> = new Map(
  STANDARD.map((declaration) => {
    const [, name = '', list = ''] = /^(\w+)\((.*)\)$/.exec(declaration) ?? [];
    const inputs = list.split(',').map((input) => {
      const [type = '', label = ''] = input.split(' ');
      return { type, name: label, indexed: false };
    });
    return [selectorOf({ name, inputs }), { name, inputs }];
  }),
);
