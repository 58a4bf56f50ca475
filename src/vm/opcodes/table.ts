import { arithmetic } from './arithmetic.js';
import { calls, logOpcodes } from './calls.js';
import * as energy from './energy.js';
import { constants, environment } from './environment.js';
import { InstructionSets, type OpcodeRow } from './instruction-sets.js';
import { memoryAndStorage } from './memory-and-storage.js';
import * as price from './prices.js';
import { tron } from './tron.js';

/**
 * All opcodes: byte, name, pops, pushes, switch that enables it, price, implementation. If two rows have the same
 * byte, the later row applies when its switch is on. Both interpreters and the prepared code are built from these
 * rows. Reference: OperationRegistry, with the names of Op.
 */
export const opcodeRows: readonly OpcodeRow[] = [
  [0x00, 'STOP', 0, 0, 'always', price.ZERO_ENERGY, calls.stop],
  [0x01, 'ADD', 2, 1, 'always', price.VERY_LOW, arithmetic.add],
  [0x02, 'MUL', 2, 1, 'always', price.LOW, arithmetic.multiply],
  [0x03, 'SUB', 2, 1, 'always', price.VERY_LOW, arithmetic.subtract],
  [0x04, 'DIV', 2, 1, 'always', price.LOW, arithmetic.divide],
  [0x05, 'SDIV', 2, 1, 'always', price.LOW, arithmetic.divideSigned],
  [0x06, 'MOD', 2, 1, 'always', price.LOW, arithmetic.modulo],
  [0x07, 'SMOD', 2, 1, 'always', price.LOW, arithmetic.moduloSigned],
  [0x08, 'ADDMOD', 3, 1, 'always', price.MID, arithmetic.addModulo],
  [0x09, 'MULMOD', 3, 1, 'always', price.MID, arithmetic.multiplyModulo],
  [0x0a, 'EXP', 2, 1, 'always', energy.exp, arithmetic.power],
  [0x0b, 'SIGNEXTEND', 2, 1, 'always', price.LOW, arithmetic.signExtend],
  [0x10, 'LT', 2, 1, 'always', price.VERY_LOW, arithmetic.less],
  [0x11, 'GT', 2, 1, 'always', price.VERY_LOW, arithmetic.greater],
  [0x12, 'SLT', 2, 1, 'always', price.VERY_LOW, arithmetic.lessSigned],
  [0x13, 'SGT', 2, 1, 'always', price.VERY_LOW, arithmetic.greaterSigned],
  [0x14, 'EQ', 2, 1, 'always', price.VERY_LOW, arithmetic.equal],
  [0x15, 'ISZERO', 1, 1, 'always', price.VERY_LOW, arithmetic.isZero],
  [0x16, 'AND', 2, 1, 'always', price.VERY_LOW, arithmetic.and],
  [0x17, 'OR', 2, 1, 'always', price.VERY_LOW, arithmetic.or],
  [0x18, 'XOR', 2, 1, 'always', price.VERY_LOW, arithmetic.xor],
  [0x19, 'NOT', 1, 1, 'always', price.VERY_LOW, arithmetic.not],
  [0x1a, 'BYTE', 2, 1, 'always', price.VERY_LOW, arithmetic.byte],
  [0x1b, 'SHL', 2, 1, 'constantinople', price.VERY_LOW, arithmetic.shiftLeft],
  [0x1c, 'SHR', 2, 1, 'constantinople', price.VERY_LOW, arithmetic.shiftRight],
  [0x1d, 'SAR', 2, 1, 'constantinople', price.VERY_LOW, arithmetic.shiftSigned],
  [0x1e, 'CLZ', 1, 1, 'osaka', price.LOW, arithmetic.leadingZeros],
  [0x20, 'SHA3', 2, 1, 'always', energy.sha3, memoryAndStorage.sha3],
  [0x30, 'ADDRESS', 0, 1, 'always', price.BASE, environment.address],
  [0x31, 'BALANCE', 1, 1, 'always', price.BALANCE, environment.balance],
  [0x32, 'ORIGIN', 0, 1, 'always', price.BASE, environment.origin],
  [0x33, 'CALLER', 0, 1, 'always', price.BASE, environment.caller],
  [0x34, 'CALLVALUE', 0, 1, 'always', price.BASE, environment.callValue],
  [0x35, 'CALLDATALOAD', 1, 1, 'always', price.VERY_LOW, environment.callDataLoad],
  [0x36, 'CALLDATASIZE', 0, 1, 'always', price.BASE, environment.callDataSize],
  [0x37, 'CALLDATACOPY', 3, 0, 'always', energy.copy, memoryAndStorage.callDataCopy],
  [0x38, 'CODESIZE', 0, 1, 'always', price.BASE, constants.codeSize],
  [0x39, 'CODECOPY', 3, 0, 'always', energy.copy, memoryAndStorage.codeCopy],
  [0x3a, 'GASPRICE', 0, 1, 'always', price.BASE, environment.gasPrice],
  [0x3b, 'EXTCODESIZE', 1, 1, 'always', price.EXT_CODE_SIZE, environment.codeSizeOf],
  [0x3c, 'EXTCODECOPY', 4, 0, 'always', energy.copyOf, memoryAndStorage.codeCopyOf],
  [0x3d, 'RETURNDATASIZE', 0, 1, 'always', price.BASE, environment.returnDataSize],
  [0x3e, 'RETURNDATACOPY', 3, 0, 'always', energy.copy, memoryAndStorage.returnDataCopy],
  [0x3f, 'EXTCODEHASH', 1, 1, 'constantinople', price.EXT_CODE_HASH, environment.codeHashOf],
  [0x40, 'BLOCKHASH', 1, 1, 'always', price.EXT, environment.blockHash],
  [0x41, 'COINBASE', 0, 1, 'always', price.BASE, environment.coinbase],
  [0x42, 'TIMESTAMP', 0, 1, 'always', price.BASE, environment.timestamp],
  [0x43, 'NUMBER', 0, 1, 'always', price.BASE, environment.number],
  [0x44, 'DIFFICULTY', 0, 1, 'always', price.BASE, constants.difficulty],
  [0x45, 'GASLIMIT', 0, 1, 'always', price.BASE, constants.gasLimit],
  [0x46, 'CHAINID', 0, 1, 'istanbul', price.BASE, environment.chainId],
  [0x47, 'SELFBALANCE', 0, 1, 'istanbul', price.LOW, environment.selfBalance],
  [0x48, 'BASEFEE', 0, 1, 'london', price.BASE, environment.baseFee],
  [0x49, 'BLOBHASH', 1, 1, 'blob', price.VERY_LOW, environment.blobHash],
  [0x4a, 'BLOBBASEFEE', 0, 1, 'blob', price.BASE, constants.blobBaseFee],
  [0x50, 'POP', 1, 0, 'always', price.BASE, memoryAndStorage.pop],
  [0x51, 'MLOAD', 1, 1, 'always', energy.memoryWord(price.ZERO_ENERGY), memoryAndStorage.loadWord],
  [0x51, 'MLOAD', 1, 1, 'higherCpuLimit', energy.memoryWord(price.MEMORY_ACCESS), memoryAndStorage.loadWord],
  [0x52, 'MSTORE', 2, 0, 'always', energy.memoryWord(price.ZERO_ENERGY), memoryAndStorage.storeWord],
  [0x52, 'MSTORE', 2, 0, 'higherCpuLimit', energy.memoryWord(price.MEMORY_ACCESS), memoryAndStorage.storeWord],
  [0x53, 'MSTORE8', 2, 0, 'always', energy.memoryByte(price.ZERO_ENERGY), memoryAndStorage.storeByte],
  [0x53, 'MSTORE8', 2, 0, 'higherCpuLimit', energy.memoryByte(price.MEMORY_ACCESS), memoryAndStorage.storeByte],
  [0x54, 'SLOAD', 1, 1, 'always', price.SLOAD, memoryAndStorage.load],
  [0x55, 'SSTORE', 2, 0, 'always', energy.sstoreEnergy, memoryAndStorage.store],
  [0x56, 'JUMP', 1, 0, 'always', price.MID, 'jump'],
  [0x57, 'JUMPI', 2, 0, 'always', price.HIGH, 'jumpIf'],
  [0x58, 'PC', 0, 1, 'always', price.BASE, constants.programCounter],
  [0x59, 'MSIZE', 0, 1, 'always', price.BASE, environment.memorySize],
  [0x5a, 'GAS', 0, 1, 'always', price.BASE, environment.energyLeft],
  [0x5b, 'JUMPDEST', 0, 0, 'always', price.JUMPDEST, 'destination'],
  [0x5c, 'TLOAD', 1, 1, 'cancun', price.TLOAD, memoryAndStorage.loadTransient],
  [0x5d, 'TSTORE', 2, 0, 'cancun', price.TSTORE, memoryAndStorage.storeTransient],
  [0x5e, 'MCOPY', 3, 0, 'cancun', energy.copyMemory, memoryAndStorage.copyMemory],
  [0x5f, 'PUSH0', 0, 1, 'shanghai', price.BASE, constants.push],
  ...numbered(0x60, 'PUSH', 32, () => [0, 1], constants.push),
  ...numbered(0x80, 'DUP', 16, (n) => [n, n + 1], 'duplicate'),
  ...numbered(0x90, 'SWAP', 16, (n) => [n + 1, n + 1], 'swap'),
  [0xa0, 'LOG0', 2, 0, 'always', energy.logEnergy(0), logOpcodes(0)],
  [0xa1, 'LOG1', 3, 0, 'always', energy.logEnergy(1), logOpcodes(1)],
  [0xa2, 'LOG2', 4, 0, 'always', energy.logEnergy(2), logOpcodes(2)],
  [0xa3, 'LOG3', 5, 0, 'always', energy.logEnergy(3), logOpcodes(3)],
  [0xa4, 'LOG4', 6, 0, 'always', energy.logEnergy(4), logOpcodes(4)],
  [0xd0, 'CALLTOKEN', 8, 1, 'transferTrc10', energy.callToken, calls.callToken],
  [0xd1, 'TOKENBALANCE', 2, 1, 'transferTrc10', price.TOKEN_BALANCE, environment.tokenBalance],
  [0xd2, 'CALLTOKENVALUE', 0, 1, 'transferTrc10', price.BASE, environment.callTokenValue],
  [0xd3, 'CALLTOKENID', 0, 1, 'transferTrc10', price.BASE, environment.callTokenId],
  [0xd4, 'ISCONTRACT', 1, 1, 'solidity059', price.IS_CONTRACT, environment.isContract],
  [0xd5, 'FREEZE', 3, 1, 'freeze', energy.freezeEnergy, tron.freeze],
  [0xd6, 'UNFREEZE', 2, 1, 'freeze', price.UNFREEZE, tron.unfreeze],
  [0xd7, 'FREEZEEXPIRETIME', 2, 1, 'freeze', price.FREEZE_EXPIRE_TIME, tron.freezeExpireTime],
  [0xd8, 'VOTEWITNESS', 4, 1, 'vote', energy.vote, tron.voteWitness],
  [0xd8, 'VOTEWITNESS', 4, 1, 'energyAdjustment', energy.voteWithLengths, tron.voteWitness],
  [0xd8, 'VOTEWITNESS', 4, 1, 'osaka', energy.voteUnbounded, tron.voteWitness],
  [0xd9, 'WITHDRAWREWARD', 0, 1, 'vote', price.WITHDRAW_REWARD, tron.withdrawReward],
  [0xda, 'FREEZEBALANCEV2', 2, 1, 'freezeV2', price.STAKE_V2, tron.freezeV2],
  [0xdb, 'UNFREEZEBALANCEV2', 2, 1, 'freezeV2', price.STAKE_V2, tron.unfreezeV2],
  [0xdc, 'CANCELALLUNFREEZEV2', 0, 1, 'freezeV2', price.STAKE_V2, tron.cancelUnfreezing],
  [0xdd, 'WITHDRAWEXPIREUNFREEZE', 0, 1, 'freezeV2', price.STAKE_V2, tron.withdrawUnfrozen],
  [0xde, 'DELEGATERESOURCE', 3, 1, 'freezeV2', price.STAKE_V2, tron.delegate],
  [0xdf, 'UNDELEGATERESOURCE', 3, 1, 'freezeV2', price.STAKE_V2, tron.undelegate],
  [0xf0, 'CREATE', 3, 1, 'always', energy.createEnergy, calls.create],
  [0xf1, 'CALL', 7, 1, 'always', energy.callEnergy, calls.call],
  [0xf2, 'CALLCODE', 7, 1, 'always', energy.callCode, calls.callCode],
  [0xf3, 'RETURN', 2, 0, 'always', energy.result, calls.end],
  [0xf4, 'DELEGATECALL', 6, 1, 'always', energy.delegateCall, calls.delegateCall],
  [0xf5, 'CREATE2', 4, 1, 'constantinople', energy.create2, calls.create2],
  [0xfa, 'STATICCALL', 6, 1, 'always', energy.delegateCall, calls.staticCall],
  [0xfd, 'REVERT', 2, 0, 'always', energy.result, calls.revert],
  [0xff, 'SUICIDE', 1, 0, 'always', price.SELF_DESTRUCT, calls.selfDestruct],
  [0xff, 'SUICIDE', 1, 0, 'energyAdjustment', energy.selfDestructEnergy, calls.selfDestruct],
  [0xff, 'SUICIDE', 1, 0, 'selfDestructRestriction', energy.selfDestructRestricted, calls.selfDestructRestricted],
];

/** Names of all opcodes, including disabled ones, by byte. */
export const opcodeNames: readonly (string | undefined)[] = Array.from(
  { length: 256 },
  (_, byte) => opcodeRows.find((row) => row[0] === byte)?.[1],
);

/** Cache of the enabled instructions, by the rules of a block. */
export const instructionSets = new InstructionSets(opcodeRows);

function numbered(
  first: number,
  name: string,
  count: number,
  shape: (n: number) => readonly [pops: number, pushes: number],
  does: OpcodeRow[6],
): OpcodeRow[] {
  return Array.from(
    { length: count },
    (_, i) => [first + i, `${name}${i + 1}`, ...shape(i + 1), 'always', price.VERY_LOW, does] as const,
  );
}
