import type { RuleSet, Since } from '../interpreter/rule-set.js';

/**
 * What an opcode costs before it runs: a number where that never changes, otherwise `dynamic`: memory, copied bytes, the
 * state of a slot, or what a call is given decide (see `energy.ts`).
 */
export type Energy = number | 'dynamic';

type Row = readonly [byte: number, name: string, pops: number, pushes: number, energy: Energy, since?: Since];

const BASE = 2;
const VERY_LOW = 3;
const LOW = 5;
const MID = 8;
const HIGH = 10;
const EXT = 20;
const STAKE_V2 = 10_000;

/** Reference: OperationRegistry, with the names of Op, and EnergyCost. */
export const opcodeRows: readonly Row[] = [
  [0x00, 'STOP', 0, 0, 0],
  [0x01, 'ADD', 2, 1, VERY_LOW],
  [0x02, 'MUL', 2, 1, LOW],
  [0x03, 'SUB', 2, 1, VERY_LOW],
  [0x04, 'DIV', 2, 1, LOW],
  [0x05, 'SDIV', 2, 1, LOW],
  [0x06, 'MOD', 2, 1, LOW],
  [0x07, 'SMOD', 2, 1, LOW],
  [0x08, 'ADDMOD', 3, 1, MID],
  [0x09, 'MULMOD', 3, 1, MID],
  [0x0a, 'EXP', 2, 1, 'dynamic'],
  [0x0b, 'SIGNEXTEND', 2, 1, LOW],
  [0x10, 'LT', 2, 1, VERY_LOW],
  [0x11, 'GT', 2, 1, VERY_LOW],
  [0x12, 'SLT', 2, 1, VERY_LOW],
  [0x13, 'SGT', 2, 1, VERY_LOW],
  [0x14, 'EQ', 2, 1, VERY_LOW],
  [0x15, 'ISZERO', 1, 1, VERY_LOW],
  [0x16, 'AND', 2, 1, VERY_LOW],
  [0x17, 'OR', 2, 1, VERY_LOW],
  [0x18, 'XOR', 2, 1, VERY_LOW],
  [0x19, 'NOT', 1, 1, VERY_LOW],
  [0x1a, 'BYTE', 2, 1, VERY_LOW],
  [0x1b, 'SHL', 2, 1, VERY_LOW, 'constantinople'],
  [0x1c, 'SHR', 2, 1, VERY_LOW, 'constantinople'],
  [0x1d, 'SAR', 2, 1, VERY_LOW, 'constantinople'],
  [0x20, 'SHA3', 2, 1, 'dynamic'],
  [0x30, 'ADDRESS', 0, 1, BASE],
  [0x31, 'BALANCE', 1, 1, 20],
  [0x32, 'ORIGIN', 0, 1, BASE],
  [0x33, 'CALLER', 0, 1, BASE],
  [0x34, 'CALLVALUE', 0, 1, BASE],
  [0x35, 'CALLDATALOAD', 1, 1, VERY_LOW],
  [0x36, 'CALLDATASIZE', 0, 1, BASE],
  [0x37, 'CALLDATACOPY', 3, 0, 'dynamic'],
  [0x38, 'CODESIZE', 0, 1, BASE],
  [0x39, 'CODECOPY', 3, 0, 'dynamic'],
  [0x3a, 'GASPRICE', 0, 1, BASE],
  [0x3b, 'EXTCODESIZE', 1, 1, 20],
  [0x3c, 'EXTCODECOPY', 4, 0, 'dynamic'],
  [0x3d, 'RETURNDATASIZE', 0, 1, BASE],
  [0x3e, 'RETURNDATACOPY', 3, 0, 'dynamic'],
  [0x3f, 'EXTCODEHASH', 1, 1, 400, 'constantinople'],
  [0x40, 'BLOCKHASH', 1, 1, EXT],
  [0x41, 'COINBASE', 0, 1, BASE],
  [0x42, 'TIMESTAMP', 0, 1, BASE],
  [0x43, 'NUMBER', 0, 1, BASE],
  [0x44, 'DIFFICULTY', 0, 1, BASE],
  [0x45, 'GASLIMIT', 0, 1, BASE],
  [0x46, 'CHAINID', 0, 1, BASE, 'istanbul'],
  [0x47, 'SELFBALANCE', 0, 1, LOW, 'istanbul'],
  [0x48, 'BASEFEE', 0, 1, BASE, 'london'],
  [0x50, 'POP', 1, 0, BASE],
  [0x51, 'MLOAD', 1, 1, 'dynamic'],
  [0x52, 'MSTORE', 2, 0, 'dynamic'],
  [0x53, 'MSTORE8', 2, 0, 'dynamic'],
  [0x54, 'SLOAD', 1, 1, 50],
  [0x55, 'SSTORE', 2, 0, 'dynamic'],
  [0x56, 'JUMP', 1, 0, MID],
  [0x57, 'JUMPI', 2, 0, HIGH],
  [0x58, 'PC', 0, 1, BASE],
  [0x59, 'MSIZE', 0, 1, BASE],
  [0x5a, 'GAS', 0, 1, BASE],
  [0x5b, 'JUMPDEST', 0, 0, 1],
  [0x5f, 'PUSH0', 0, 1, BASE, 'shanghai'],
  ...numbered(0x60, 'PUSH', 32, () => [0, 1]),
  ...numbered(0x80, 'DUP', 16, (n) => [n, n + 1]),
  ...numbered(0x90, 'SWAP', 16, (n) => [n + 1, n + 1]),
  [0xa0, 'LOG0', 2, 0, 'dynamic'],
  [0xa1, 'LOG1', 3, 0, 'dynamic'],
  [0xa2, 'LOG2', 4, 0, 'dynamic'],
  [0xa3, 'LOG3', 5, 0, 'dynamic'],
  [0xa4, 'LOG4', 6, 0, 'dynamic'],
  [0xd0, 'CALLTOKEN', 8, 1, 'dynamic', 'transferTrc10'],
  [0xd1, 'TOKENBALANCE', 2, 1, 20, 'transferTrc10'],
  [0xd2, 'CALLTOKENVALUE', 0, 1, BASE, 'transferTrc10'],
  [0xd3, 'CALLTOKENID', 0, 1, BASE, 'transferTrc10'],
  [0xd4, 'ISCONTRACT', 1, 1, 20, 'solidity059'],
  [0xd5, 'FREEZE', 3, 1, 'dynamic', 'freeze'],
  [0xd6, 'UNFREEZE', 2, 1, 20_000, 'freeze'],
  [0xd7, 'FREEZEEXPIRETIME', 2, 1, 50, 'freeze'],
  [0xd8, 'VOTEWITNESS', 4, 1, 'dynamic', 'vote'],
  [0xd9, 'WITHDRAWREWARD', 0, 1, 20_000, 'vote'],
  [0xda, 'FREEZEBALANCEV2', 2, 1, STAKE_V2, 'freezeV2'],
  [0xdb, 'UNFREEZEBALANCEV2', 2, 1, STAKE_V2, 'freezeV2'],
  [0xdc, 'CANCELALLUNFREEZEV2', 0, 1, STAKE_V2, 'freezeV2'],
  [0xdd, 'WITHDRAWEXPIREUNFREEZE', 0, 1, STAKE_V2, 'freezeV2'],
  [0xde, 'DELEGATERESOURCE', 3, 1, STAKE_V2, 'freezeV2'],
  [0xdf, 'UNDELEGATERESOURCE', 3, 1, STAKE_V2, 'freezeV2'],
  [0xf0, 'CREATE', 3, 1, 'dynamic'],
  [0xf1, 'CALL', 7, 1, 'dynamic'],
  [0xf2, 'CALLCODE', 7, 1, 'dynamic'],
  [0xf3, 'RETURN', 2, 0, 'dynamic'],
  [0xf4, 'DELEGATECALL', 6, 1, 'dynamic'],
  [0xf5, 'CREATE2', 4, 1, 'dynamic', 'constantinople'],
  [0xfa, 'STATICCALL', 6, 1, 'dynamic'],
  [0xfd, 'REVERT', 2, 0, 'dynamic'],
  [0xff, 'SUICIDE', 1, 0, 0],
];

/** Name of every opcode, known to the rules or not. */
export const opcodeNames: readonly (string | undefined)[] = bytes((row) => row[1]);
export const opcodePops: readonly number[] = bytes((row) => row[2]).map((pops) => pops ?? 0);
export const opcodePushes: readonly number[] = bytes((row) => row[3]).map((pushes) => pushes ?? 0);
/** Fixed energy; -1 for a dynamic one. */
export const opcodeEnergy: readonly number[] = bytes((row) => row[4]).map((energy) =>
  typeof energy === 'number' ? energy : -1,
);

/** Opcodes that the rules have: 1 for each, by byte. */
export function enabledOpcodes(rules: RuleSet): Uint8Array {
  const enabled = new Uint8Array(256);
  for (const [byte, , , , , since] of opcodeRows) if (since === undefined || rules[since]) enabled[byte] = 1;
  return enabled;
}

function numbered(
  first: number,
  name: string,
  count: number,
  shape: (n: number) => readonly [pops: number, pushes: number],
): Row[] {
  return Array.from({ length: count }, (_, i) => [first + i, `${name}${i + 1}`, ...shape(i + 1), VERY_LOW] as const);
}

function bytes<T>(value: (row: Row) => T): (T | undefined)[] {
  const all: (T | undefined)[] = new Array(256).fill(undefined);
  for (const row of opcodeRows) all[row[0]] = value(row);
  return all;
}
