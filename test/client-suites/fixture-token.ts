import { TronWeb } from 'tronweb';

/** Name, symbol and decimals of the token that the fixture deploys. */
export interface TokenFacts {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Address of the owner in hex, with the prefix byte. */
  readonly owner: string;
}

const WORD_DIGITS = 64;
const SUPPLY = 1_000_000n;
const TRANSFER = 'Transfer(address,address,uint256)';
/** Signature of the function that emits its arguments as a `Transfer` event. */
export const EMIT = 'tell(address,address,uint256)';

const word = (value: bigint | number): string => value.toString(16).padStart(WORD_DIGITS, '0');
const byte = (value: number): string => value.toString(16).padStart(2, '0');
const double = (value: number): string => value.toString(16).padStart(4, '0');
const hashOf = (text: string): string => String(TronWeb.sha3(text, false));

function textWords(text: string): string {
  const hex = Buffer.from(text).toString('hex');
  return word(32) + word(hex.length / 2) + hex.padEnd(WORD_DIGITS, '0');
}

/** Returns a TRC20 contract whose functions return constants. One function emits the requested transfer event. */
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
    [EMIT, '', emitting()],
  ];
  return {
    bytecode: deploying(dispatching(rows.map(([signature, , answer]) => [signature, answer]))),
    abi: abiOf(rows),
  };
}

/** Returns code that writes words to memory and returns them. */
function constant(words: string): string {
  const stores = words
    .match(/.{64}/g)!
    .map((one, at) => `7f${one}60${byte(at * 32)}52`)
    .join('');
  return `${stores}60${byte(words.length / 2)}6000f3`;
}

/** Returns code that emits a log with LOG3. The first two arguments are topics, the third is the data. */
function emitting(): string {
  return `6044356000526024356004357f${hashOf(TRANSFER)}60206000a300`;
}

/** Returns code that jumps to the answer of the selector. For an unknown selector, it reverts. */
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

/** Returns init code that copies and returns the bytes after its own twelve bytes. */
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
