import type { SeenBlock } from '../../operations/call-contract.js';
import type { Json } from '../json-text.js';
import type { RpcForm } from '../quantities.js';
import { readHexAddress, readQuantity } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';
import { callMembersOf, hexMember, quantityMember } from './call-arguments.js';

/**
 * Accepted names of the block number, the time and the producer in block overrides. geth's name is first, followed by
 * names that other Ethereum nodes use. The values in `WITHOUT_EFFECT` are accepted but ignored, because the TVM uses
 * fixed values.
 */
const NUMBER = ['number', 'blockNumber'];
const TIME = ['time', 'timestamp'];
const MINER = ['feeRecipient', 'coinbase'];
const WITHOUT_EFFECT = ['gasLimit', 'baseFeePerGas', 'baseFee', 'blobBaseFee', 'prevRandao', 'random', 'difficulty'];

/**
 * Reads the values that replace block values during a call.
 * @throws {RpcError} a value is malformed, out of range or not supported
 */
export function readBlockOverrides(value: Json, form: RpcForm): SeenBlock {
  if (value === null) return {};
  const members = callMembersOf(value, 'block overrides');
  const known = [...NUMBER, ...TIME, ...MINER, ...WITHOUT_EFFECT];
  for (const name of members.keys())
    if (!known.includes(name)) throw invalidParams(`block override ${name} is not supported`);
  const first = (names: readonly string[], read: typeof quantityMember) =>
    names.map((name) => read(members, name)).find((found) => found !== null);
  const [number, time] = [first(NUMBER, quantityMember), first(TIME, quantityMember)];
  const miner = first(MINER, hexMember);
  return {
    ...(number !== undefined && { number: bounded(readQuantity(number, form.release), 'number') }),
    ...(time !== undefined && { timeMs: bounded(readQuantity(time, form.release) * 1000n, 'time') }),
    ...(miner !== undefined && { witness: readHexAddress(miner, form) }),
  };
}

function bounded(value: bigint, what: string): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidParams(`block override ${what} is out of range`);
  return Number(value);
}
