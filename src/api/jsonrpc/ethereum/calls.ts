import { EstimateEnergyMessage, Return, TriggerSmartContract } from '../../../codec/generated/messages.js';
import { EMPTY_BYTES, fromHex, toUtf8 } from '../../../primitives/bytes.js';
import type { ConstantResult } from '../../../vm/smart-contract/constant.js';
import { runsProgram } from '../../../vm/smart-contract/simulate.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { estimateCall, runConstant, type SeenBlock } from '../../operations/call-contract.js';
import { refusalOf } from '../methods/contract-calls.js';
import { revertReason } from '../methods/revert-reason.js';
import type { CallArguments } from '../parameters.js';
import { data, isNothing, quantity, readHexAddress, readQuantity } from '../quantities.js';
import { internalError, REVERT_CODE, RpcError } from '../rpc-error.js';

/**
 * Converts call arguments to a contract call. Without a receiver, the result is a contract creation.
 * @throws {RpcError} an argument is malformed
 */
export function triggerMessageOf(args: CallArguments, { settings }: ApiContext): TriggerSmartContract {
  return Object.assign(new TriggerSmartContract(), {
    ownerAddress: readHexAddress(args.from, settings),
    contractAddress: isNothing(args.to) ? EMPTY_BYTES : readHexAddress(args.to, settings),
    callValue: readQuantity(args.value, settings.release),
    data: fromHex((args.data ?? '0x').slice(2)),
  });
}

/**
 * Returns the output of a call; `0x` if the call runs no program, for example because the receiver is not a smart
 * contract.
 * @throws {RpcError} the call cannot start or fails
 */
export function ethereumCall(api: ApiContext, view: ChainView, args: CallArguments, block?: SeenBlock): string {
  const message = triggerMessageOf(args, api);
  if (!runsProgram(view.state, message.contractAddress)) return '0x';
  return data(succeeded(runCall(api, view, message, { gas: gasOf(args, api), block })).returnData);
}

/**
 * Returns the energy that a call or a contract creation needs. A TRX transfer needs no energy.
 * @throws {RpcError} the call cannot start or fails
 */
export function ethereumEstimate(api: ApiContext, view: ChainView, args: CallArguments): string {
  const message = triggerMessageOf(args, api);
  if (!runsProgram(view.state, message.contractAddress)) return '0x0';
  const { energyUsed } = succeeded(runCall(api, view, message, {}));
  if (!api.settings.estimatesEnergy || message.contractAddress.length === 0) return quantity(energyUsed);
  const reply = { estimate: new EstimateEnergyMessage(), result: new Return() };
  try {
    estimateCall(api, view, message, reply);
  } catch (error) {
    throw refusalOf(error, ['ContractValidateException']);
  }
  if (!reply.result.result) throw internalError(toUtf8(reply.result.message));
  return quantity(reply.estimate.energyRequired);
}

/** Returns the energy limit of a call; undefined if it is absent or 0. */
export function gasOf({ gas }: CallArguments, { settings }: ApiContext): bigint | undefined {
  const energy = readQuantity(gas, settings.release);
  return energy === 0n ? undefined : energy;
}

interface RunOptions {
  readonly gas?: bigint | undefined;
  readonly block?: SeenBlock | undefined;
}

/**
 * Runs a call. If the program of the contract fails, the result contains the failure.
 * @throws {RpcError} the call cannot start
 */
function runCall(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  { gas, block }: RunOptions,
): ConstantResult {
  try {
    return runConstant(api, view, message, { energyMax: gas, block });
  } catch (error) {
    throw refusalOf(error, ['ContractValidateException', 'VMIllegalException']);
  }
}

/** Returns the error of a failed call; undefined on success. The text is geth's, because tools parse it. */
export function callFailureOf(run: Pick<ConstantResult, 'isRevert' | 'returnData' | 'message'>): RpcError | undefined {
  if (run.isRevert)
    return new RpcError(REVERT_CODE, `execution reverted${revertReason(run.returnData)}`, data(run.returnData));
  return run.message === null ? undefined : internalError(run.message);
}

function succeeded(run: ConstantResult): ConstantResult {
  const failure = callFailureOf(run);
  if (failure !== undefined) throw failure;
  return run;
}
