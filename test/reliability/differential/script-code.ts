import { concatBytes, toHex } from '../../../src/primitives/bytes.js';
import { PAYLOAD_AT, type ProxyStep, proxySteps } from './proxy-code.js';
import type { RandomChoices } from './random-choices.js';

/**
 * Placeholder for the script's own address in the call data of a step. When the script runs, it replaces the
 * placeholder by the result of the opcode ADDRESS.
 */
export const OWN_ADDRESS = Uint8Array.of(0x41, ...new Uint8Array(20).fill(0x5e));
const OWN = BigInt(`0x${toHex(OWN_ADDRESS.subarray(1))}`);

/** One step of a script. The script executes the operation itself, or calls a proxy that executes it. */
export interface ScriptStep {
  /** Operation, encoded as the call data of a proxy (see `proxyOrder`). */
  readonly order: Uint8Array;
  readonly call?: { readonly opcode: number; readonly to: bigint; readonly value: bigint };
}

const RESULTS_AT = 0x2000;
const FIRST_OPERAND = 64;
const steps: readonly ProxyStep[] = Object.values(proxySteps);
const CALL_GAS = 50_000_000n;
const [CALL, CALL_CODE, CALL_TOKEN] = [0xf1, 0xf2, 0xd0] as const;

/**
 * Returns a program that executes the steps in order. The program writes the results to an event log and ends in a
 * random way. If it reverts, it also returns the results.
 */
export function scriptCode(script: readonly ScriptStep[], random: RandomChoices): Uint8Array {
  const code: number[] = [];
  const orderPlaces: number[] = [];
  for (const [at, { order, call }] of script.entries()) {
    // The order (call data) is stored after the code. Its offset is inserted when the length of the code is known.
    code.push(...push(BigInt(order.length)), 0x61);
    orderPlaces.push(code.length);
    code.push(0, 0, 0x60, 0, 0x39);
    code.push(...(call === undefined ? ownStep(order) : callStep(order, call)));
    code.push(...push(BigInt(RESULTS_AT + 64 * at)), 0x52, 0x3d, ...push(BigInt(RESULTS_AT + 64 * at + 32)), 0x52);
  }
  const results = [...push(BigInt(64 * script.length)), ...push(BigInt(RESULTS_AT))];
  code.push(...results, 0xa0, ...ending(results, random));
  for (const [at, place] of orderPlaces.entries()) {
    const start = code.length + script.slice(0, at).reduce((sum, { order }) => sum + order.length, 0);
    code[place] = start >> 8;
    code[place + 1] = start & 0xff;
  }
  return concatBytes(Uint8Array.from(code), ...script.map(({ order }) => order));
}

function ownStep(order: Uint8Array): number[] {
  const { opcode, operands, results } = stepOf(order);
  const words = Array.from({ length: operands }, (_, at) => wordAt(order, FIRST_OPERAND + 32 * at));
  return [...words.reverse().flatMap(push), opcode, ...(results === 1 ? [] : [0x60, 0])];
}

function callStep({ length }: Uint8Array, { opcode, to, value }: NonNullable<ScriptStep['call']>): number[] {
  const area = [0n, 0n, BigInt(length), 0n];
  const token = opcode === CALL_TOKEN ? [0n] : [];
  const callValue = opcode === CALL || opcode === CALL_CODE || opcode === CALL_TOKEN ? [value] : [];
  return [...[...area, ...token, ...callValue, to, CALL_GAS].flatMap(push), opcode];
}

function stepOf(order: Uint8Array): ProxyStep {
  const step = steps[Number(wordAt(order, 0))];
  if (step === undefined || order.length < PAYLOAD_AT) throw new RangeError('no order of a proxy');
  return step;
}

function wordAt(bytes: Uint8Array, at: number): bigint {
  return BigInt(`0x${toHex(bytes.subarray(at, at + 32))}`);
}

/** Returns the code that pushes a value: ADDRESS for the own address, otherwise the shortest PUSH. */
function push(value: bigint): number[] {
  if (value === OWN) return [0x30];
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return [0x5f + bytes.length, ...bytes];
}

function ending(results: readonly number[], random: RandomChoices): number[] {
  const kind = random.below(10);
  if (kind < 2) return [...results, 0xfd];
  if (kind < 4) return [0x33, 0xff];
  if (kind === 4) return [0x30, 0xff];
  if (kind === 5) return [0xfe];
  return [0x00];
}
