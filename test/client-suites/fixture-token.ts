import { TronWeb } from 'tronweb';

/** Metadata of a token. */
export interface TokenFacts {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Address hex, with its prefix. */
  readonly owner: string;
}

const WORD_DIGITS = 64;
const SUPPLY = 1_000_000n;
const TRANSFER = 'Transfer(address,address,uint256)';
/** Logs its call data as `Transfer`. */
export const TELL = 'tell(address,address,uint256)';

const word = (value: bigint | number): string => value.toString(16).padStart(WORD_DIGITS, '0');
const byte = (value: number): string => value.toString(16).padStart(2, '0');
const double = (value: number): string => value.toString(16).padStart(4, '0');
const hashOf = (text: string): string => String(TronWeb.sha3(text, false));

function textWords(text: string): string {
  const hex = Buffer.from(text).toString('hex');
  return word(32) + word(hex.length / 2) + hex.padEnd(WORD_DIGITS, '0');
}

/** A TRC20 contract that returns constants and logs the requested transfers. */
export function fixtureToken({ name, symbol, decimals, owner }: TokenFacts): { bytecode: string; abi: object[] } {
  const rows: readonly (readonly [signature: string, outputs: string, answer: string])[] = [
    ['name()', 'string', constant(textWords(name))],
    ['symbol()', 'string', constant(textWords(symbol))],
    ['decimals()', 'uint8', constant(word(decimals))],
    ['totalSupply()', 'uint256', constant(word(SUPPLY))],
    ['owner()', 'address', constant(owner.slice(2).padStart(WORD_DIGITS, '0'))],
    ['balanceOf(address)', 'uint256', constant(word(SUPPLY))],
    ['transfer(address,uint256)', 'bool', constant(word(1))],
    ['approve(address,uint256)', 'bool', constant(word(1))],
    ['transferFrom(address,address,uint256)', 'bool', constant(word(1))],
    [TELL, '', telling()],
  ];
  return {
    bytecode: deploying(dispatching(rows.map(([signature, , answer]) => [signature, answer]))),
    abi: abiOf(rows),
  };
}

/** MSTORE of each word, then RETURN of all. */
function constant(words: string): string {
  const stores = words
    .match(/.{64}/g)!
    .map((one, at) => `7f${one}60${byte(at * 32)}52`)
    .join('');
  return `${stores}60${byte(words.length / 2)}6000f3`;
}

/** LOG3 of the third argument under the first two. */
function telling(): string {
  return `6044356000526024356004357f${hashOf(TRANSFER)}60206000a300`;
}

/** Jumps to the answer of the selector; reverts for another one. */
function dispatching(answers: readonly (readonly [signature: string, code: string])[]): string {
  const [head, row, end] = ['60003560e01c', 11, '60006000fd'];
  let place = head.length / 2 + answers.length * row + end.length / 2;
  let [jumps, bodies] = ['', ''];
  for (const [signature, code] of answers) {
    jumps += `8063${hashOf(signature).slice(0, 8)}1461${double(place)}57`;
    bodies += `5b${code}`;
    place += 1 + code.length / 2;
  }
  return head + jumps + end + bodies;
}

/** CODECOPY and RETURN of what stands behind these twelve bytes. */
function deploying(code: string): string {
  return `61${double(code.length / 2)}80600c6000396000f3${code}`;
}

function abiOf(rows: readonly (readonly [signature: string, outputs: string, ...rest: unknown[]])[]): object[] {
  const functions = rows.map(([signature, output]) => {
    const [, name, inputs = ''] = /^(\w+)\((.*)\)$/.exec(signature) ?? [];
    const isView = inputs === '' || name === 'balanceOf';
    return {
      type: 'function',
      name,
      inputs: inputs
        .split(',')
        .filter(Boolean)
        .map((type, at) => ({ name: `value${at}`, type })),
      outputs: output === '' ? [] : [{ name: '', type: output }],
      stateMutability: isView ? 'view' : 'nonpayable',
    };
  });
  const event = ['from', 'to'].map((name) => ({ name, type: 'address', indexed: true }));
  return [
    ...functions,
    { type: 'event', name: 'Transfer', inputs: [...event, { name: 'value', type: 'uint256', indexed: false }] },
  ];
}
