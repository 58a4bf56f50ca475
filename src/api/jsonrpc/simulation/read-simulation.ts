import type { SeenBlock } from '../../operations/call-contract.js';
import { readBlockOverrides } from '../ethereum/block-overrides.js';
import { type CallMembers, callMembersOf, flagMember, readEthereumCall } from '../ethereum/call-arguments.js';
import { type AccountOverride, readStateOverrides } from '../ethereum/state-overrides.js';
import type { Json } from '../json-text.js';
import type { CallArguments } from '../parameters.js';
import type { RpcForm } from '../quantities.js';
import { invalidParams, RpcError } from '../rpc-error.js';

/** Maximum number of blocks between the base block and the last simulated block. geth has the same limit. */
const SIMULATED_BLOCKS_MAX = 256;
/** Maximum number of calls in all simulated blocks together. In geth this limit applies to each block. */
const SIMULATED_CALLS_MAX = 5_000;

/** Error codes of a simulation, as defined by the Ethereum execution APIs. */
export const SimulationCode = {
  INSUFFICIENT_FUNDS: -38014,
  BLOCK_NUMBER_INVALID: -38020,
  BLOCK_TIMESTAMP_INVALID: -38021,
  CLIENT_LIMIT_EXCEEDED: -38026,
  VM_ERROR: -32015,
} as const;

/** A block to simulate, with its height and time. */
export interface BlockRequest {
  readonly number: number;
  readonly timeMs: number;
  /** Block producer. If undefined, the producer of the previous block is used. */
  readonly witness: Uint8Array | undefined;
  readonly overrides: readonly AccountOverride[];
  readonly calls: readonly CallArguments[];
}

/** Parsed parameters of `eth_simulateV1`. */
export interface SimulationRequest {
  readonly blocks: readonly BlockRequest[];
  /** True if senders pay for energy as in real transactions. */
  readonly validation: boolean;
  /** True if TRX transfers are reported as logs of token transfers. */
  readonly traceTransfers: boolean;
  readonly returnFullTransactions: boolean;
}

/** Block from which the simulation starts. Times are in ms. */
interface Base {
  readonly number: number;
  readonly timeMs: number;
  readonly slotMs: number;
}

const SIMULATION_MEMBERS = ['blockStateCalls', 'validation', 'traceTransfers', 'returnFullTransactions'];
const BLOCK_MEMBERS = ['blockOverrides', 'stateOverrides', 'calls'];

/** Reads the parameters of `eth_simulateV1`. @throws {RpcError} a parameter is malformed or out of range */
export function readSimulation(value: Json, base: Base, form: RpcForm): SimulationRequest {
  const members = callMembersOf(value, 'a simulation', SIMULATION_MEMBERS);
  const requested = members.get('blockStateCalls') ?? null;
  if (!Array.isArray(requested) || requested.length === 0) throw invalidParams('empty input');
  if (requested.length > SIMULATED_BLOCKS_MAX) throw tooMuch('too many blocks');
  const blocks = (requested as readonly Json[]).map((block) => callMembersOf(block, 'a block', BLOCK_MEMBERS));
  const count = blocks.reduce((sum, block) => sum + listOf(block, 'calls').length, 0);
  if (count > SIMULATED_CALLS_MAX) throw tooMuch('too many calls');
  return {
    blocks: inOrder(blocks, base, form),
    validation: flagMember(members, 'validation'),
    traceTransfers: flagMember(members, 'traceTransfers'),
    returnFullTransactions: flagMember(members, 'returnFullTransactions'),
  };
}

/**
 * Returns the requested blocks in order of height, with empty blocks in the gaps between their heights.
 * @throws {RpcError} a height or time does not ascend, or a value is malformed
 */
function inOrder(requests: readonly CallMembers[], base: Base, form: RpcForm): readonly BlockRequest[] {
  const blocks: BlockRequest[] = [];
  let { number, timeMs } = base;
  for (const members of requests) {
    const overrides = readBlockOverrides(members.get('blockOverrides') ?? null, form);
    const next = heightOf(overrides, number);
    if (next - base.number > SIMULATED_BLOCKS_MAX) throw tooMuch('too many blocks');
    for (number++; number < next; number++) {
      timeMs += base.slotMs;
      blocks.push({ number, timeMs, witness: undefined, overrides: [], calls: [] });
    }
    timeMs = timeOf(overrides, timeMs, base.slotMs);
    blocks.push({
      number,
      timeMs,
      witness: overrides.witness,
      overrides: readStateOverrides(members.get('stateOverrides') ?? null, form),
      calls: listOf(members, 'calls').map(readEthereumCall),
    });
  }
  return blocks;
}

function heightOf({ number: requested }: SeenBlock, before: number): number {
  const number = requested ?? before + 1;
  if (number > before) return number;
  throw new RpcError(SimulationCode.BLOCK_NUMBER_INVALID, `block numbers must be in order: ${number} <= ${before}`);
}

function timeOf({ timeMs: requested }: SeenBlock, before: number, slotMs: number): number {
  const timeMs = requested ?? before + slotMs;
  if (timeMs > before) return timeMs;
  const [time, last] = [timeMs, before].map((ms) => Math.floor(ms / 1000));
  throw new RpcError(SimulationCode.BLOCK_TIMESTAMP_INVALID, `block timestamps must be in order: ${time} <= ${last}`);
}

function listOf(members: CallMembers, name: string): readonly Json[] {
  const value = members.get(name) ?? null;
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalidParams(`${name} must be a list`);
}

function tooMuch(text: string): RpcError {
  return new RpcError(SimulationCode.CLIENT_LIMIT_EXCEEDED, text);
}
