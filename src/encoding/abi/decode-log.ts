import * as AbiParameters from 'ox/AbiParameters';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { AbiEvent, LogContent } from './decode-event.js';

/**
 * A value as text: numbers decimal, addresses `0x` and 20 bytes of hex, bytes as hex, truth as a word; lists stay
 * lists.
 */
export type AbiValue = string | readonly AbiValue[];

export interface DecodedParameter {
  /** Empty where the ABI gives none. */
  readonly name: string;
  readonly type: string;
  readonly value: AbiValue;
}

/**
 * Parameters of an event in the order of its declaration, by the whole ABI: lists and nested lists as well, which the
 * triggers of the reference do not read. What an indexed text, list or byte string was is not in the log: its hash
 * stands for it. The encoding is read by a package, not by us: it bounds what offsets that point back into the data may
 * cost.
 * @returns undefined where the log does not hold what the ABI says
 */
export function decodeLog(
  { inputs }: Pick<AbiEvent, 'inputs'>,
  { topics, data }: LogContent,
): DecodedParameter[] | undefined {
  const plain = inputs.filter(({ indexed }) => !indexed);
  if (topics.length !== 1 + inputs.length - plain.length) return undefined;
  const values = decodeParameters(
    plain.map(({ type }) => type),
    data,
  );
  if (values === undefined) return undefined;
  let topic = 1;
  let next = 0;
  const decoded: DecodedParameter[] = [];
  for (const { name, type, indexed } of inputs) {
    const value = indexed ? decodeTopic(type, itemAt(topics, topic++)) : values[next++];
    if (value === undefined) return undefined;
    decoded.push({ name, type, value });
  }
  return decoded;
}

/** Values that a contract encoded. @returns undefined for bytes that do not hold them, or a type that is none */
export function decodeParameters(types: readonly string[], data: Uint8Array): readonly AbiValue[] | undefined {
  if (types.length === 0) return [];
  const parameters = types.map((type) => ({ type: evmType(type) }));
  try {
    const values = AbiParameters.decode(parameters as readonly AbiParameters.Parameter[], data) as readonly unknown[];
    return values.map((value, at) => textOf(value, itemAt(parameters, at).type));
  } catch {
    // Whatever is wrong with it, it is a contract's data: no error of this program.
    return undefined;
  }
}

function decodeTopic(type: string, topic: Uint8Array): AbiValue | undefined {
  return isWord(type) ? decodeParameters([type], topic)?.[0] : toHex(topic);
}

/** Whether a value fits one word, so that a topic is the value itself. */
function isWord(type: string): boolean {
  return !type.endsWith(']') && !['string', 'bytes'].includes(type) && !type.startsWith('tuple');
}

/** TRON's own type is a number everywhere but in signatures. */
function evmType(type: string): string {
  return type.replace(/^trcToken/, 'uint256');
}

function textOf(value: unknown, type: string): AbiValue {
  if (Array.isArray(value)) return value.map((item) => textOf(item, type.replace(/\[\d*\]$/, '')));
  const text = String(value);
  return type.startsWith('bytes') ? text.slice(2) : text;
}
