import { TransactionResultCode, TriggerSmartContract } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { concatBytes, EMPTY_BYTES, utf8 } from '../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { callConstantContract, newCallReply } from '../operations/call-contract.js';

/** A constant call of a contract. The contract is also the caller. */
export interface ViewCall {
  /** State in which the call runs. */
  readonly view: ChainView;
  readonly contract: Uint8Array;
  /** Function signature, for example `balanceOf(address)`. */
  readonly signature: string;
  /** ABI-encoded arguments. Default: none. */
  readonly parameter?: Uint8Array;
}

/**
 * Calls a contract function as `/wallet/triggerconstantcontract` does.
 * @returns the output; undefined if the call fails
 * @throws {BudgetExceededError} the call exceeds the time budget of this thread
 */
export function constantCall(
  api: ApiContext,
  { view, contract, signature, parameter = EMPTY_BYTES }: ViewCall,
): Uint8Array | undefined {
  const message = Object.assign(new TriggerSmartContract(), {
    ownerAddress: contract,
    contractAddress: contract,
    data: concatBytes(keccak256(utf8(signature)).subarray(0, SELECTOR_BYTES), parameter),
  });
  const reply = newCallReply();
  try {
    const { ret } = callConstantContract(api, view, message, reply);
    return ret[0]?.ret === TransactionResultCode.SUCESS ? reply.extention.constantResult[0] : undefined;
  } catch (error) {
    if (error instanceof BudgetExceededError || javaError(error) === undefined) throw error;
    return undefined;
  }
}
