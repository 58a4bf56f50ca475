import { EMPTY_BYTES } from '../../log/domain/bytes.js';
/** One running program. Energy is a number: limits stay far below 2^53 (fee limits and stakes bound them). Reference: Program. */
export class Frame {
    code;
    codeAddress;
    context;
    contextWord;
    caller;
    callValue;
    tokenValue;
    tokenId;
    data;
    depth;
    isStatic;
    energyLimit;
    contractVersion;
    hash;
    memory;
    energyUsed = 0;
    /** Energy paid on top because contracts were hot, of calls inside included. */
    penalty = 0;
    /** Energy that counts for how hot this contract is: without penalties and without what was given to calls. */
    usage = 0;
    /** Price of energy in this contract, in 1/10000. */
    factor = 10_000;
    returnData = EMPTY_BYTES;
    /** What the last call made from here returned: RETURNDATASIZE. */
    returnBuffer = EMPTY_BYTES;
    exception = undefined;
    isRevert = false;
    /** Operation that the run ended with. */
    lastOpcode = 0;
    /** Number under which its storage is found; -1 until it is first touched. */
    storageOwner = -1;
    constructor(input, memory) {
        this.code = input.code;
        this.codeAddress = input.codeAddress;
        this.context = input.context;
        this.contextWord = BigInt(`0x${input.context}`);
        this.caller = input.caller;
        this.callValue = input.callValue;
        this.tokenValue = input.tokenValue;
        this.tokenId = input.tokenId;
        this.data = input.data;
        this.depth = input.depth;
        this.isStatic = input.isStatic;
        this.energyLimit = input.energyLimit;
        this.contractVersion = input.contractVersion;
        this.hash = input.hash;
        this.memory = memory;
    }
    get energyLeft() {
        return this.energyLimit - this.energyUsed;
    }
    get isFailed() {
        return this.exception !== undefined || this.isRevert;
    }
}
//# sourceMappingURL=frame.js.map