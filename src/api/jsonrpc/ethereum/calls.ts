import { EstimateEnergyMessage, Return, TriggerSmartContract } from '../../../codec/generated/messages.js';
import { EMPTY_BYTES, fromHex, toUtf8 } from '../../../primitives/bytes.js';
import type { ConstantResult } from '../../../vm/smart-contract/constant.js';
import { runsProgram } from '../../../vm/smart-contract/simulate.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { estimateCall, runConstant, type SeenBlock } from '../../operations/call-contract.js';
import { refusalOf, revertReason } from '../methods/contract-calls.js';
import type { CallArguments } from '../parameters.js';
import { data, isNothing, quantity, readHexAddress, readQuantity } from '../quantities.js';
import { internalError, REVERT_CODE, RpcError } from '../rpc-error.js';

/** @throws {RpcError} */
export function triggerMessageOf(args: CallArguments, { settings }: ApiContext): TriggerSmartContract {
  return Object.assign(new TriggerSmartContract(), {
    ownerAddress: readHexAddress(args.from, settings),
    contractAddress: isNothing(args.to) ? EMPTY_BYTES : readHexAddress(args.to, settings),
    callValue: readQuantity(args.value, settings.release),
    data: fromHex((args.data ?? '0x').slice(2)),
  });
}

/** What a call returns; nothing where there is no program. @throws {RpcError} */
export function ethereumCall(api: ApiContext, view: ChainView, args: CallArguments, block?: SeenBlock): string {
  const message = triggerMessageOf(args, api);
  if (!runsProgram(view.state, message.contractAddress)) return '0x';
  return data(succeeded(runCall(api, view, message, { gas: gasOf(args, api), block })).returnData);
}

/** Energy that a call or a creation takes; a transfer takes none. @throws {RpcError} */
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

/** Energy that a caller sets; undefined where it sets none. */
export function gasOf({ gas }: CallArguments, { settings }: ApiContext): bigint | undefined {
  const energy = readQuantity(gas, settings.release);
  return energy === 0n ? undefined : energy;
}

interface RunOptions {
  readonly gas?: bigint | undefined;
  readonly block?: SeenBlock | undefined;
}

/** @throws {RpcError} a call that may not start. A failure inside is in the result */
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

/** Error of a run in geth's words, which tools look for; undefined where it ended well. */
export function callFailureOf(run: Pick<ConstantResult, 'isRevert' | 'returnData' | 'message'>): RpcError | undefined {
  if (run.isRevert)
    return new RpcError(REVERT_CODE, `execution reverted${readableReason(run.returnData)}`, data(run.returnData));
  return run.message === null ? undefined : internalError(run.message);
}

function succeeded(run: ConstantResult): ConstantResult {
  const failure = callFailureOf(run);
  if (failure !== undefined) throw failure;
  return run;
}

/** Behind a colon; nothing where what was returned is no text. */
function readableReason(returned: Uint8Array): string {
  try {
    return revertReason(returned);
  } catch {
    return '';
  }
}
