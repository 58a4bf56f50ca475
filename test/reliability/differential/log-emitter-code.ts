import { concatBytes } from '../../../src/primitives/bytes.js';
import { wordOf } from './proxy-code.js';

/**
 * Actions of a log emitter, a contract that writes event logs. The first five actions write a log with 0 to 4 topics.
 */
const EMIT_STEPS = [
  'log0',
  'log1',
  'log2',
  'log3',
  'log4',
  'call',
  'delegateCall',
  'create',
  'selfDestruct',
  'revert',
] as const;
export type EmitStepName = (typeof EMIT_STEPS)[number];

/** One action of a log emitter. */
export interface EmitStep {
  readonly name: EmitStepName;
  /**
   * Operands of the action. For a log: the topics. For a call: address and value. For a creation: an unused word,
   * then the value. For a self-destruct: the recipient.
   */
  readonly words?: readonly bigint[];
  /** Data of a log, input of a call, code of a creation, or return data of a revert. */
  readonly data?: Uint8Array;
}

const WORDS_MAX = 4;
/**
 * Size in bytes of the header of an encoded action. The header contains the kind, the size of the data, the total
 * length, and the words.
 */
const HEADER = 32 * (3 + WORDS_MAX);

const op = {
  calldatasize: 0x36,
  calldatacopy: 0x37,
  calldataload: 0x35,
  isZero: 0x15,
  lessThan: 0x10,
  equal: 0x14,
  add: 0x01,
  pop: 0x50,
  jump: 0x56,
  jumpIf: 0x57,
  target: 0x5b,
  gas: 0x5a,
} as const;
const push = (value: number): number[] => [0x60, value];
/** Returns the DUP instruction that copies the stack item at a depth. Depth 0 is the top. */
const copy = (depth: number): number[] => [0x80 + depth];
/**
 * Returns code that pushes a word of the header.
 * @param at index of the word
 * @param depth stack depth of the header's offset
 */
const word = (at: number, depth: number): number[] => [...copy(depth), ...push(32 * at), op.add, op.calldataload];
const size = (depth: number): number[] => word(1, depth);
const data = (depth: number): number[] => [...copy(depth), ...push(HEADER), op.add];
const topic = (at: number, depth: number): number[] => word(3 + at, depth);

/**
 * Returns the code of an action. The code expects the offset of the action's header on the stack, and leaves this
 * offset there.
 */
function instructions(name: EmitStepName): number[] {
  const topics = EMIT_STEPS.indexOf(name);
  if (topics <= WORDS_MAX) {
    const words = Array.from({ length: topics }, (_, at) => topic(topics - 1 - at, at)).flat();
    return [...words, ...size(topics), ...data(topics + 1), 0xa0 + topics];
  }
  switch (name) {
    case 'call':
      return [...push(0), ...push(0), ...size(2), ...data(3), ...topic(1, 4), ...topic(0, 5), op.gas, 0xf1, op.pop];
    case 'delegateCall':
      return [...push(0), ...push(0), ...size(2), ...data(3), ...topic(0, 4), op.gas, 0xf4, op.pop];
    case 'create':
      return [...size(0), ...data(1), ...topic(1, 2), 0xf0, op.pop];
    case 'selfDestruct':
      return [...topic(0, 0), 0xff];
    default:
      return [...size(0), ...data(1), 0xfd];
  }
}

/** Returns code that executes the actions in its call data in order. First copies the call data to memory. */
function runtimeCode(): Uint8Array {
  const code: number[] = [op.calldatasize, ...push(0), ...push(0), op.calldatacopy, ...push(0)];
  const jumps: { readonly at: number; readonly to: string }[] = [];
  const places = new Map<string, number>();
  const target = (name: string): void => {
    places.set(name, code.length);
    code.push(op.target);
  };
  const jump = (to: string, instruction: number): void => {
    code.push(0x61);
    jumps.push({ at: code.length, to });
    code.push(0, 0, instruction);
  };
  target('next');
  code.push(op.calldatasize, ...copy(1), op.lessThan, op.isZero);
  jump('end', op.jumpIf);
  for (const [at, name] of EMIT_STEPS.entries()) {
    code.push(...word(0, 0), ...push(at), op.equal);
    jump(name, op.jumpIf);
  }
  code.push(0xfe);
  for (const name of EMIT_STEPS) {
    target(name);
    code.push(...instructions(name));
    jump('done', op.jump);
  }
  target('done');
  code.push(...word(2, 0), op.add);
  jump('next', op.jump);
  target('end');
  code.push(0x00);
  for (const { at, to } of jumps) {
    const place = places.get(to) ?? 0;
    code[at] = place >> 8;
    code[at + 1] = place & 0xff;
  }
  return Uint8Array.from(code);
}

export const logEmitterRuntime = runtimeCode();

/** Encodes the actions as call data for a log emitter. */
export function emitSteps(all: readonly EmitStep[]): Uint8Array {
  return concatBytes(
    ...all.map(({ name, words = [], data: payload = new Uint8Array(0) }) => {
      const header = [
        BigInt(EMIT_STEPS.indexOf(name)),
        BigInt(payload.length),
        BigInt(HEADER + payload.length),
        ...words,
      ];
      while (header.length < HEADER / 32) header.push(0n);
      return concatBytes(...header.map(wordOf), payload);
    }),
  );
}

/**
 * Returns init code that deploys a log emitter. Its constructor writes a log with one topic.
 * @param first the topic; undefined to write no log
 */
export function deployingLogEmitter(first: bigint | undefined): Uint8Array {
  const emitLogs =
    first === undefined ? [] : [...push(7), ...push(0), 0x52, 0x7f, ...wordOf(first), ...push(32), ...push(0), 0xa1];
  const sizeBytes = [logEmitterRuntime.length >> 8, logEmitterRuntime.length & 0xff];
  const at = emitLogs.length + 12;
  const rest = [0x61, ...sizeBytes, 0x80, ...push(at), ...push(0), 0x39, ...push(0), 0xf3];
  return concatBytes(Uint8Array.from([...emitLogs, ...rest]), logEmitterRuntime);
}
