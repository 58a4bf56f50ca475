import { fromHex, toHex, utf8 } from '../../primitives/bytes.js';
import { constantCall, type ViewCall } from '../abi/constant-call.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { answerText, JSON_TYPE } from '../http/http-answer.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** A constant call, and the state in which it runs. */
interface ConstantQuery extends Omit<ViewCall, 'view'> {
  readonly view: 'head' | 'irreversible';
  readonly parameter: Uint8Array;
}

/** Outcome of a constant call. */
interface ConstantAnswer {
  /** Output of the call; undefined if the call failed. */
  readonly data: Uint8Array | undefined;
  /** True if the call exceeded the time budget of the API thread and ran in the call pool (worker threads). */
  readonly wasCostly: boolean;
}

/**
 * Runs a constant call as `/wallet/triggerconstantcontract` does. If the call exceeds the time budget, runs it in the
 * call pool (worker threads).
 * @throws {V1Error} the queue of the call pool is full
 */
export async function requestConstant(
  source: Pick<V1Source, 'api' | 'pool'>,
  question: ConstantQuery,
): Promise<ConstantAnswer> {
  try {
    return { data: constantCall(source.api, { ...question, view: source.api.view(question.view) }), wasCostly: false };
  } catch (error) {
    if (!(error instanceof BudgetExceededError) || source.pool === undefined) throw error;
    return { data: await callInPool(source.pool, question, error), wasCostly: true };
  }
}

/** Reply of the call pool: the JSON members of `TransactionExtention` that this module reads. */
interface PoolReply {
  readonly result?: object;
  readonly constant_result?: readonly string[];
  readonly transaction?: { readonly ret?: readonly { readonly ret?: string }[] };
}

async function callInPool(
  pool: NonNullable<V1Source['pool']>,
  { view, contract, signature, parameter }: ConstantQuery,
  reason: BudgetExceededError,
): Promise<Uint8Array | undefined> {
  const [server, folder] =
    view === 'head' ? (['fullnode', 'wallet'] as const) : (['solidity', 'walletsolidity'] as const);
  const owner = toHex(contract);
  const call = { function_selector: signature, parameter: toHex(parameter) };
  const answer = await pool.http(
    server,
    {
      method: 'POST',
      target: `/${folder}/triggerconstantcontract`,
      type: JSON_TYPE,
      body: utf8(JSON.stringify({ owner_address: owner, contract_address: owner, ...call })),
    },
    reason,
  );
  const reply = readReply(answerText(answer));
  if (reply?.result === undefined)
    throw new V1Error(503, `the call of contract ${owner} failed, because the node is busy; retry later`);
  const [word] = reply.constant_result ?? [];
  const hasFailed = reply.transaction?.ret?.[0]?.ret !== undefined;
  return word === undefined || hasFailed ? undefined : fromHex(word);
}

function readReply(text: string): PoolReply | undefined {
  try {
    return JSON.parse(text) as PoolReply;
  } catch {
    return undefined;
  }
}
