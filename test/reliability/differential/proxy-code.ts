import { concatBytes } from '../../../src/primitives/bytes.js';

/** An instruction that a proxy can execute. Its operands are in the call data. */
export interface ProxyStep {
  readonly opcode: number;
  readonly operands: number;
  readonly results: number;
}

const step = (opcode: number, operands: number, results = 1): ProxyStep => ({ opcode, operands, results });

export const proxySteps = {
  balance: step(0x31, 1),
  codeSize: step(0x3b, 1),
  codeHash: step(0x3f, 1),
  tokenBalance: step(0xd1, 2),
  isContract: step(0xd4, 1),
  freeze: step(0xd5, 3),
  unfreeze: step(0xd6, 2),
  freezeExpireTime: step(0xd7, 2),
  vote: step(0xd8, 4),
  withdrawReward: step(0xd9, 0),
  freezeV2: step(0xda, 2),
  unfreezeV2: step(0xdb, 2),
  cancelUnfreezing: step(0xdc, 0),
  withdrawUnfrozen: step(0xdd, 0),
  delegate: step(0xde, 3),
  undelegate: step(0xdf, 3),
  create: step(0xf0, 3),
  create2: step(0xf5, 4),
  call: step(0xf1, 7),
  callCode: step(0xf2, 7),
  delegateCall: step(0xf4, 6),
  staticCall: step(0xfa, 6),
  callToken: step(0xd0, 8),
  selfDestruct: step(0xff, 1, 0),
  store: step(0x55, 2, 0),
  load: step(0x54, 1),
  storeTransient: step(0x5d, 2, 0),
  loadTransient: step(0x5c, 1),
  blockHash: step(0x40, 1),
  log: step(0xa2, 4, 0),
  hash: step(0x20, 2),
  copyInput: step(0x37, 3, 0),
  copyCode: step(0x39, 3, 0),
  copyOtherCode: step(0x3c, 4, 0),
  copyReturned: step(0x3e, 3, 0),
  copyMemory: step(0x5e, 3, 0),
} as const satisfies Record<string, ProxyStep>;

export type ProxyStepName = keyof typeof proxySteps;

const names = Object.keys(proxySteps) as ProxyStepName[];
/**
 * Byte offset of the payload, in memory and in the call data. The words before it are the step, the kind of end, and
 * the operands.
 */
export const PAYLOAD_AT = 32 * 10;

/**
 * Returns the code of a proxy. It copies the call data to memory. Word 0 of the call data is the index of a step, and
 * the operands start at word 2. The proxy returns the result of the step and the return data of a call. If word 1 is 1,
 * it reverts with the same data.
 */
function runtimeCode(): Uint8Array {
  const code: number[] = [];
  const word = (at: number): number[] => [0x61, (at >> 8) & 0xff, at & 0xff, 0x35];
  // Copies the call data to memory.
  code.push(0x36, 0x60, 0, 0x60, 0, 0x37);
  const places: number[] = [];
  for (const at of names.keys()) {
    code.push(0x60, at, ...word(0), 0x14, 0x61);
    places.push(code.length);
    code.push(0, 0, 0x57);
  }
  code.push(0x00);
  for (const [at, name] of names.entries()) {
    const { opcode, operands, results } = proxySteps[name];
    const place = places[at] ?? 0;
    code[place] = code.length >> 8;
    code[place + 1] = code.length & 0xff;
    code.push(0x5b);
    for (let operand = operands - 1; operand >= 0; operand--) code.push(...word(64 + 32 * operand));
    code.push(opcode, ...(results === 1 ? [] : [0x60, 0]));
    // Returns the result of the step and the return data of a call.
    code.push(0x60, 0, 0x52, 0x3d, 0x60, 0, 0x60, 32, 0x3e);
    code.push(0x3d, 0x60, 32, 0x01, 0x60, 0, ...word(32), 0x61);
    const jump = code.length;
    code.push(0, 0, 0x57, 0xf3, 0x5b, 0xfd);
    code[jump] = (code.length - 2) >> 8;
    code[jump + 1] = (code.length - 2) & 0xff;
  }
  return Uint8Array.from(code);
}

/** Returns init code that deploys `runtime`. */
export function deploying(runtime: Uint8Array): Uint8Array {
  const size = [(runtime.length >> 8) & 0xff, runtime.length & 0xff];
  const prefix = Uint8Array.of(0x61, ...size, 0x80, 0x60, 12, 0x60, 0, 0x39, 0x60, 0, 0xf3);
  return concatBytes(prefix, runtime);
}

export const proxyRuntime = runtimeCode();
export const proxyCode = deploying(proxyRuntime);

export function wordOf(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex'));
}

/**
 * Encodes a call of a proxy.
 * @param payload is copied to the offset `PAYLOAD_AT` of the memory
 * @param reverts true if the proxy must revert after the step
 */
export function proxyCall(
  name: ProxyStepName,
  operands: readonly bigint[],
  payload: Uint8Array = new Uint8Array(0),
  reverts = false,
): Uint8Array {
  const words = [BigInt(names.indexOf(name)), reverts ? 1n : 0n, ...operands];
  while (words.length < PAYLOAD_AT / 32) words.push(0n);
  return concatBytes(...words.map(wordOf), payload);
}
