// Energy prices of operations, used by both interpreters and by the generator of the WebAssembly loop. Reference:
// EnergyCost.

/** Fixed energy prices that many operations share. */
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
/** Energy per byte of EXP's exponent, in addition to its base price. */
export const EXP_BYTE = 10;
export const SHA3 = 30;
export const SHA3_WORD = 6;

/** Maximum memory of a program, in bytes. Reference: EnergyCost.MEM_LIMIT. */
export const MEMORY_MAX = 3 * 1024 * 1024;
/** Factor in the price of memory. Memory of n words costs n × `MEMORY_WORD` + n² / 2^`MEMORY_SQUARE_BITS`. */
export const MEMORY_WORD = 3;
export const MEMORY_SQUARE_BITS = 9;
/** Base price of MLOAD, MSTORE and MSTORE8 since proposal 65, in addition to memory growth. */
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
/**
 * Additional energy for the callee of a call that transfers a value. The caller does not pay for it. Reference:
 * EnergyCost.STIPEND_CALL.
 */
export const STIPEND = 2300;
/** Additional price of an operation that creates an account. Reference: EnergyCost.NEW_ACCT_CALL. */
export const NEW_ACCOUNT = 25_000;
export const SELF_DESTRUCT = 0;
/** Price of SELFDESTRUCT since proposal 94. Reference: EnergyCost.SUICIDE_V2. */
export const SELF_DESTRUCT_RESTRICTED = 5000;
export const CREATE = 32_000;
/** Energy per byte of a contract's code when it is created. Reference: EnergyCost.CREATE_DATA. */
export const CREATE_DATA = 200;

export const TOKEN_BALANCE = 20;
export const IS_CONTRACT = 20;
export const FREEZE = 20_000;
export const UNFREEZE = 20_000;
export const FREEZE_EXPIRE_TIME = 50;
export const VOTE_WITNESS = 30_000;
export const WITHDRAW_REWARD = 20_000;
export const STAKE_V2 = 10_000;
