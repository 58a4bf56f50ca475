import { TransactionResultCode, TriggerSmartContract } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { concatBytes, fromHex, toHex, utf8 } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { JSON_TYPE } from '../http/error-pages.js';
import { callConstantContract, newCallReply } from '../operations/call-contract.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** A constant call of a contract by itself. */
interface Question {
  readonly view: 'head' | 'irreversible';
  readonly contract: Uint8Array;
  /** Of the function, as `balanceOf(address)`. */
  readonly signature: string;
  /** Arguments in the form of the ABI. */
  readonly parameter: Uint8Array;
}

/** What a contract said. */
interface Said {
  /** Undefined where the call failed. */
  readonly data: Uint8Array | undefined;
  /** It took longer than this thread has, and another one ran it. */
  readonly wasCostly: boolean;
}

/**
 * Asks a contract as `/wallet/triggerconstantcontract` does, to the end: what takes too long here is asked in the pool.
 * @throws {V1Error} the pool has no place
 */
export async function requestConstant(source: Pick<V1Source, 'api' | 'pool'>, question: Question): Promise<Said> {
  try {
    return { data: askHere(source, question), wasCostly: false };
  } catch (error) {
    if (!(error instanceof BudgetExceededError) || source.pool === undefined) throw error;
    return { data: await askPool(source.pool, question, error), wasCostly: true };
  }
}

/** @throws {BudgetExceededError} */
function askHere({ api }: Pick<V1Source, 'api'>, question: Question): Uint8Array | undefined {
  const { view, contract, signature, parameter } = question;
  const data = concatBytes(keccak256(utf8(signature)).subarray(0, 4), parameter);
  const message = Object.assign(new TriggerSmartContract(), {
    ownerAddress: contract,
    contractAddress: contract,
    data,
  });
  const reply = newCallReply();
  try {
    const { ret } = callConstantContract(api, api.view(view), message, reply);
    return ret[0]?.ret === TransactionResultCode.SUCESS ? reply.extention.constantResult[0] : undefined;
  } catch (error) {
    if (error instanceof BudgetExceededError || javaError(error) === undefined) throw error;
    return undefined;
  }
}

/** The parts of `TransactionExtention` that are read. */
interface PoolReply {
  readonly result?: object;
  readonly constant_result?: readonly string[];
  readonly transaction?: { readonly ret?: readonly { readonly ret?: string }[] };
}

async function askPool(
  pool: NonNullable<V1Source['pool']>,
  { view, contract, signature, parameter }: Question,
  reason: BudgetExceededError,
): Promise<Uint8Array | undefined> {
  const [server, folder] =
    view === 'head' ? (['fullnode', 'wallet'] as const) : (['solidity', 'walletsolidity'] as const);
  const owner = toHex(contract);
  const call = { function_selector: signature, parameter: toHex(parameter) };
  const { body = '' } = await pool.http(
    server,
    {
      method: 'POST',
      target: `/${folder}/triggerconstantcontract`,
      version: '1.1',
      rawHeaders: [],
      type: JSON_TYPE,
      body: utf8(JSON.stringify({ owner_address: owner, contract_address: owner, ...call })),
    },
    reason,
  );
  const reply = readReply(String(body));
  if (reply?.result === undefined) throw new V1Error(503, `${owner} cannot be asked now: ask again`);
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
