import { TronError } from '../../primitives/errors.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type Json, JsonNumber } from './json-text.js';
import { finalView, type RpcContext } from './methods/rpc-context.js';
import { readBlockNumber, readHash, requireLatest } from './quantities.js';
import { internalError, invalidParams, invalidRequest } from './rpc-error.js';

/**
 * Height of a tag or number; undefined when the view has no such block.
 * Reference: Wallet.getByJsonBlockId.
 * @throws {RpcError}
 */
export function heightOfTag(context: RpcContext, tag: string | null): number | undefined {
  const view = context.api.view(context.view);
  const name = tag?.toLowerCase();
  if (name === 'earliest') return 0;
  if (name === 'latest') return view.headNumber;
  if (name === 'pending') {
    if (context.features.ethereum) return view.headNumber;
    throw invalidParams('TAG pending not supported');
  }
  const { release } = context.api.settings;
  const final = finalHeight(context, name);
  if (final !== undefined) return final;
  if (release.knowsFinalityTags && name === 'safe') throw invalidParams('TAG safe not supported');
  const number = readBlockNumber(tag, release);
  return number < 0n || number > BigInt(view.headNumber) ? undefined : Number(number);
}

/** Height that a tag of finality, in lower case, names; undefined for another tag. */
export function finalHeight(context: RpcContext, name: string | undefined): number | undefined {
  if (isFinalityTag(context, name)) return finalView(context).headNumber;
  const { release } = context.api.settings;
  if (!release.knowsFinalityTags || name !== 'finalized') return undefined;
  // What the port's own state says: on the port of solidified blocks it is a height below the newest of them.
  return context.api.view(context.view).state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
}

/** Whether a tag, in lower case, names the newest irreversible block: it does where the configuration says so. */
function isFinalityTag({ features }: Pick<RpcContext, 'features'>, name: string | undefined): boolean {
  return features.finalityTags && (name === 'finalized' || name === 'safe');
}

/** The state that a tag asks for, or a number where the configuration allows it. @throws {RpcError} */
export function stateAt(context: RpcContext, tag: string | null): ChainView {
  const { api, features, view } = context;
  const name = tag?.toLowerCase();
  if (isFinalityTag(context, name)) return finalView(context);
  if (!features.history) requireLatest(tag, api.settings.release);
  if (name === 'latest' || (name === 'pending' && features.ethereum)) return api.view(view);
  const height = heightOfTag(context, tag);
  if (height === undefined) throw internalError('header not found');
  return pastView(api, height);
}

/**
 * The state that a call asks for: a tag, or an object that names a block which must exist. Without history the newest
 * state answers in any case. Reference: TronJsonRpcImpl.getCall. @throws {RpcError}
 */
export function stateOfCall(context: RpcContext, block: Json): ChainView {
  if (typeof block === 'string') return stateAt(context, block);
  const newest = context.api.view(context.view);
  const height = namedHeight(newest, block, context.api.settings.release);
  return context.features.history ? pastView(context.api, height) : newest;
}

/**
 * The state that an Ethereum tool asks for: a tag, a number, an object of EIP-1898; the newest where nothing is said.
 * @throws {RpcError}
 */
export function stateNamed(context: RpcContext, block: Json): ChainView {
  if (block === null) return context.api.view(context.view);
  return block instanceof JsonNumber ? stateAt(context, block.toString()) : stateOfCall(context, block);
}

/** Height in an object `{ blockNumber }` or `{ blockHash }`. @throws {RpcError} */
export function namedHeight(view: ChainView, block: Json, release: ApiRelease): number {
  if (!(block instanceof Map)) throw invalidRequest();
  const named = block as ReadonlyMap<string, Json>;
  const height = named.get('blockNumber');
  if (height !== undefined) {
    const number = readBlockNumber(textMember(height), release);
    if (number < 0n || number > BigInt(view.headNumber)) throw internalError('header not found');
    return Number(number);
  }
  const hash = named.get('blockHash');
  if (hash === undefined) throw invalidRequest();
  const number = view.numberOf(readHash(textMember(hash), release));
  if (number === undefined) throw internalError('header for hash not found');
  return number;
}

function textMember(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  throw invalidParams('invalid json request');
}

/** State after the block of a height. @throws {RpcError} the retention does not keep it: the text names the key */
export function pastView(api: ApiContext, height: number): ChainView {
  try {
    return api.viewAt(height);
  } catch (error) {
    if (!(error instanceof TronError) || error.code !== 'HISTORY_NOT_KEPT') throw error;
    throw internalError(error.message);
  }
}
