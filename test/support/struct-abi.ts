import { readFileSync } from 'node:fs';
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbiItem,
  toEventHash,
} from 'viem';

/** ABI from a compiler, with nested structs, arrays of structs and anonymous events. */
export const structAbi = JSON.parse(
  readFileSync(new URL('../unit/encoding/abi/struct-abi.json', import.meta.url), 'utf8'),
) as Abi;

export const MAKER = '11'.repeat(20);
export const TOKEN = '22'.repeat(20);

/** Values of a struct `order` of the ABI with two `legs`. */
export const order = {
  id: 7n,
  maker: `0x${MAKER}`,
  legs: [
    { token: `0x${TOKEN}`, amounts: [1n, 2n ** 255n], sel: '0x01020304' },
    { token: `0x${MAKER}`, amounts: [], sel: '0xffffffff' },
  ],
  memo: '\0zwölf',
} as const;

/** Returns the values of {@link order} in decoded form. @param addressText formats an address */
export const decodedOrder = (addressText: (hex: string) => string) => ({
  id: '7',
  maker: addressText(MAKER),
  legs: [
    { token: addressText(TOKEN), amounts: ['1', String(2n ** 255n)], sel: '01020304' },
    { token: addressText(MAKER), amounts: [], sel: 'ffffffff' },
  ],
  memo: '\0zwölf',
});

export const PAIR = ['aa'.repeat(32), 'bb'.repeat(32)] as const;

/**
 * Encodes a log of an event with viem.
 * @returns topics and data in hex
 */
export function encodedLog(event: AbiEvent, values: Readonly<Record<string, unknown>>) {
  const named = ({ name = '' }: AbiParameter): unknown => values[name];
  const encoded = (inputs: readonly AbiParameter[]): Hex => encodeAbiParameters(inputs, inputs.map(named));
  const topics = event.inputs
    .filter(({ indexed }) => indexed === true)
    // A topic of a type that is longer than a word is a hash. Decoders do not check it, so any hashed bytes suffice
    // here.
    .map((input) =>
      /[\])]$|^(string|bytes|tuple)$/.test(input.type) ? keccak256(encoded([input])) : encoded([input]),
    );
  const data = encoded(event.inputs.filter(({ indexed }) => indexed !== true));
  return {
    topics: [...(event.anonymous === true ? [] : [toEventHash(event)]), ...topics].map((topic) => topic.slice(2)),
    data: data.slice(2),
  };
}

/** Parses the declaration of an event. Removes `anonymous` first, because viem cannot parse it. */
export function eventOf(declaration: string): AbiEvent {
  const [, text = '', anonymous] = /^(.*?)( anonymous)?$/.exec(declaration) ?? [];
  const event = parseAbiItem(text) as AbiEvent;
  return anonymous === undefined ? event : { ...event, anonymous: true };
}

/** Returns an event of the ABI by its name. */
export function structEvent(name: string): AbiEvent {
  const found = structAbi.find((entry): entry is AbiEvent => entry.type === 'event' && entry.name === name);
  if (found === undefined) throw new Error(`the ABI has no event ${name}`);
  return found;
}

/** Returns the log of the event for an order. */
export const orderLog = () =>
  encodedLog(structEvent('OrderPlaced'), { id: 7n, order, pair: PAIR.map((word) => `0x${word}`) });

/** Returns the call data that places an order, in hex. */
export const orderCall = (): string =>
  encodeFunctionData({ abi: structAbi, functionName: 'order', args: [order] }).slice(2);
