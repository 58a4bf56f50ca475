/**
 * Energy that operations cost, read by both interpreters and by the generator of the loop in WebAssembly.
 * Reference: EnergyCost.
 */

/** Tiers of operations that always cost the same. */
export const ZERO_ENERGY = 0;
export const BASE = 2;
export const VERY_LOW = 3;
export const LOW = 5;
export const MID = 8;
export const HIGH = 10;
export const EXT = 20;

export const JUMPDEST = 1;
export const BALANCE = 20;
export const EXT_CODE_SIZE = 20;
export const EXT_CODE_COPY = 20;
export const EXT_CODE_HASH = 400;

export const EXP = 10;
/** For each byte of the exponent. */
export const EXP_BYTE = 10;
export const SHA3 = 30;
export const SHA3_WORD = 6;

/** Bytes of memory that a program may use. Reference: EnergyCost.MEM_LIMIT. */
export const MEMORY_MAX = 3 * 1024 * 1024;
/** Memory of n words costs n times this, and the square of n divided by the next number. */
export const MEMORY_WORD = 3;
export const MEMORY_SQUARE_BITS = 9;
/** MLOAD, MSTORE and MSTORE8, beside the memory that they need, since proposal 65. */
export const MEMORY_ACCESS = 1;
export const COPY_WORD = 3;

export const SLOAD = 50;
export const SSTORE_SET = 20_000;
export const SSTORE_RESET = 5000;

export const TLOAD = 100;
export const TSTORE = 100;

export const LOG = 375;
export const LOG_TOPIC = 375;
export const LOG_BYTE = 8;

export const CALL = 40;
export const CALL_WITH_VALUE = 9000;
/** Given to a call that carries a value, on top of what the caller gives. Reference: EnergyCost.STIPEND_CALL. */
export const STIPEND = 2300;
/** An operation that makes an account. Reference: EnergyCost.NEW_ACCT_CALL. */
export const NEW_ACCOUNT = 25_000;
export const SELF_DESTRUCT = 0;
/** Since proposal 94. Reference: EnergyCost.SUICIDE_V2. */
export const SELF_DESTRUCT_RESTRICTED = 5000;
export const CREATE = 32_000;
/** For each byte of a contract's code. Reference: EnergyCost.CREATE_DATA. */
export const CREATE_DATA = 200;

export const TOKEN_BALANCE = 20;
export const IS_CONTRACT = 20;
export const FREEZE = 20_000;
export const UNFREEZE = 20_000;
export const FREEZE_EXPIRE_TIME = 50;
export const VOTE_WITNESS = 30_000;
export const WITHDRAW_REWARD = 20_000;
export const STAKE_V2 = 10_000;
