import { TransactionContractContractType as ContractType, CreateSmartContract, SmartContract, Transaction, TransactionContract, TransactionRaw, TriggerSmartContract, } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { EMPTY_BYTES, toHex } from '../../log/domain/bytes.js';
import { max64, min64 } from '../../log/domain/int64.js';
import { refuse } from '../errors.js';
import { executeSmartContract } from './execute.js';
import { sharedInterpreter } from './machine.js';
/**
 * Runs a call on a view and takes everything back. The state must not be shared with a writer.
 * Reference: Wallet.triggerConstantContract, callConstantContract.
 * @throws {ChainError} a call that may not start. A failure inside the program is in the result: `exception`
 */
export function callConstant(state, call, { block, blockId, hooks, interpreter = sharedInterpreter() }, limits) {
    const isDeployment = call.contractAddress.length === 0;
    if (!isDeployment && !state.contracts.has(toAddress(call.contractAddress)))
        refuse('Smart contract is not exist.');
    const transaction = isDeployment
        ? new UnsentTransaction(ContractType.CreateSmartContract, deploymentOf(call), call)
        : new UnsentTransaction(ContractType.TriggerSmartContract, triggerOf(call), call);
    const run = executeSmartContract(state, { transaction, block }, {
        interpreter,
        blockId,
        constantEnergy: Number(energyOf(state, call, limits)),
        hooks,
        deadlineMs: limits.deadlineMs,
    });
    const message = run.isRevert ? 'REVERT opcode executed' : run.runtimeError;
    return Object.assign(run, { message });
}
/** SUN to which the search goes down. */
const STEP = 1000000n;
/**
 * Finds the fee limit that a call needs, to one TRX. Reference: Wallet.estimateEnergy.
 * @param retries times that a timeout is tried again
 * @throws {ChainError | VmError} OUT_OF_TIME when the retries are used up
 */
export function estimateEnergy(state, call, context, limits, retries) {
    let retriesLeft = retries;
    const attempt = (feeLimit) => {
        for (;;) {
            const result = callConstant(state, { ...call, feeLimit }, context, limits());
            if (result.exception?.code !== 'OUT_OF_TIME')
                return result;
            if (--retriesLeft < 0)
                throw result.exception;
        }
    };
    const price = state.properties.get('ENERGY_FEE');
    let high = state.properties.get('MAX_FEE_LIMIT');
    const first = attempt(high);
    if (first.message !== null)
        return { result: first, energyRequired: undefined };
    let low = price * first.energyUsed;
    const probe = (feeLimit) => {
        if (attempt(feeLimit).message === null)
            high = feeLimit;
        else
            low = feeLimit;
    };
    if (low * 2n < high)
        probe(low * 2n);
    while (low + STEP < high)
        probe((low + high) / 2n);
    const result = callConstant(state, { ...call, feeLimit: high }, context, limits());
    const energyRequired = BigInt(Math.ceil(Number(high) / Number(price)));
    return { result, energyRequired: result.message === null ? energyRequired : undefined };
}
function energyOf(state, { feeLimit }, { energy }) {
    return feeLimit > 0n ? min64(energy, feeLimit / max64(state.properties.get('ENERGY_FEE'), 1n)) : energy;
}
function deploymentOf({ owner, data, callValue, tokenValue, tokenId }) {
    const newContract = Object.assign(new SmartContract(), {
        originAddress: owner,
        bytecode: data,
        callValue,
        consumeUserResourcePercent: 100n,
        originEnergyLimit: 1n,
    });
    return Object.assign(new CreateSmartContract(), {
        ownerAddress: owner,
        newContract,
        callTokenValue: tokenValue,
        tokenId,
    });
}
function triggerOf({ owner, contractAddress, data, callValue, tokenValue, tokenId, }) {
    return Object.assign(new TriggerSmartContract(), {
        ownerAddress: owner,
        contractAddress,
        data,
        callValue,
        callTokenValue: tokenValue,
        tokenId,
    });
}
/** A transaction that nobody signed or sent: what executing reads of one. */
class UnsentTransaction {
    message;
    raw;
    contract;
    contractType;
    parameter;
    owner;
    hash = EMPTY_BYTES;
    size = 0;
    sizeWithoutResult = 0;
    resultSize = 0;
    call;
    constructor(contractType, parameter, call) {
        this.contractType = contractType;
        this.parameter = parameter;
        this.call = call;
        this.owner = toAddress(call.owner);
        this.contract = new TransactionContract();
        this.contract.type = contractType;
        this.raw = new TransactionRaw();
        this.raw.contract = [this.contract];
        this.raw.feeLimit = call.feeLimit;
        this.message = new Transaction();
        this.message.rawData = this.raw;
    }
    get id() {
        return this.call.transactionId();
    }
    get idHex() {
        return toHex(this.id);
    }
}
//# sourceMappingURL=constant.js.map