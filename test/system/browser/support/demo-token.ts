import { keccak256, toHex } from 'viem';

const selector = (signature: string): string => keccak256(toHex(signature)).slice(2, 10);
const text32 = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0');
const byte = (value: number): string => value.toString(16).padStart(2, '0');

export const SYMBOL = 'DEMO';
const NAME = 'Demo dollar';
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)')).slice(2);

/** Returns code that writes words to memory, starting at offset 0, and returns them. */
function returned(...words: readonly string[]): string {
  const stores = words.map((word, at) => `7f${word}60${byte(32 * at)}52`).join('');
  return `${stores}60${byte(32 * words.length)}6000f3`;
}

const number = (value: number): string => value.toString(16).padStart(64, '0');
const string = (text: string): string => returned(number(32), number(text.length), text32(text));

/**
 * Code of a token with two decimals. It returns symbol, name and decimals. For any other call, it emits a transfer
 * event. It stores no balances. The code compares the selector with those of three functions, whose code is at the end.
 */
function runtime(): string {
  const parts: readonly (readonly [signature: string, code: string])[] = [
    ['symbol()', string(SYMBOL)],
    ['decimals()', returned(number(2))],
    ['name()', string(NAME)],
  ];
  // CALLDATACOPY(0, 36, 32); LOG3(0, 32, topic, CALLER, CALLDATALOAD(4)); RETURN of 1
  const transfer = `60206024600037600435337f${TRANSFER}60206000a3${returned(number(1))}`;
  const load = '60003560e01c';
  // DUP1; PUSH4; EQ; PUSH2; JUMPI
  const CHECK_BYTES = 11;
  let offset = (load.length + transfer.length) / 2 + parts.length * CHECK_BYTES;
  let checks = '';
  let bodies = '';
  for (const [signature, code] of parts) {
    checks += `8063${selector(signature)}1461${offset.toString(16).padStart(4, '0')}57`;
    bodies += `5b${code}`;
    offset += 1 + code.length / 2;
  }
  return load + checks + transfer + bodies;
}

/** Returns the body of a request to `/wallet/deploycontract`. */
export function demoToken(): object {
  const code = runtime();
  const size = (code.length / 2).toString(16).padStart(4, '0');
  // CODECOPY and RETURN of the bytes after these fourteen bytes.
  const bytecode = `61${size}600e60003961${size}6000f3${code}`;
  const abi = [
    {
      type: 'Event',
      name: 'Transfer',
      inputs: [
        { name: 'payer', type: 'address', indexed: true },
        { name: 'payee', type: 'address', indexed: true },
        { name: 'cents', type: 'uint256' },
      ],
    },
    {
      type: 'Function',
      name: 'transfer',
      stateMutability: 'Nonpayable',
      inputs: [
        { name: 'payee', type: 'address' },
        { name: 'cents', type: 'uint256' },
      ],
    },
  ];
  return {
    name: 'DemoDollar',
    abi: JSON.stringify(abi),
    bytecode,
    fee_limit: 1_000_000_000,
    origin_energy_limit: 10_000_000,
    parameter: '',
  };
}
