import { TronError } from '../../primitives/errors.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type Json, JsonNumber } from './json-text.js';
import { finalView, type RpcContext } from './methods/rpc-context.js';
import { readBlockNumber, readHash, requireLatest } from './quantities.js';
import { internalError, invalidParams, invalidRequest } from './rpc-error.js';

/**
 * Returns the height that a tag or number selects; undefined if the view has no such block. Reference:
 * Wallet.getByJsonBlockId.
 * @throws {RpcError} the tag is malformed or not supported
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

/**
 * Returns the height that the tag `finalized` or `safe` (in lower case) selects. Returns undefined for any other tag,
 * and for a tag that neither the release nor the feature `finalityTags` supports.
 */
export function finalHeight(context: RpcContext, name: string | undefined): number | undefined {
  if (isFinalityTag(context, name)) return finalView(context).headNumber;
  const { release } = context.api.settings;
  if (!release.knowsFinalityTags || name !== 'finalized') return undefined;
  // Reads the state of the port. On the solidity port, the value is one or two blocks below the newest solidified
  // block.
  return context.api.view(context.view).state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
}

/**
 * Returns true if the tag (in lower case) selects the newest solidified block. Always false without the feature
 * `finalityTags`.
 */
function isFinalityTag({ features }: Pick<RpcContext, 'features'>, name: string | undefined): boolean {
  return features.finalityTags && (name === 'finalized' || name === 'safe');
}

/**
 * Returns the state that a tag selects. Accepts a number only if the feature `history` is on.
 * @throws {RpcError} the tag is malformed, or its state is not available
 */
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
 * Returns the state that a call selects by a tag, or by an object that names an existing block. If the feature
 * `history` is off, an object always selects the newest state. Reference: TronJsonRpcImpl.getCall.
 * @throws {RpcError} the tag or object is malformed, or its state is not available
 */
export function stateOfCall(context: RpcContext, block: Json): ChainView {
  if (typeof block === 'string') return stateAt(context, block);
  const newest = context.api.view(context.view);
  const height = namedHeight(newest, block, context.api.settings.release);
  return context.features.history ? pastView(context.api, height) : newest;
}

/**
 * Returns the state that an Ethereum tool selects by a tag, a number or an EIP-1898 object. Null selects the newest
 * state.
 * @throws {RpcError} the value is malformed, or its state is not available
 */
export function stateNamed(context: RpcContext, block: Json): ChainView {
  if (block === null) return context.api.view(context.view);
  return block instanceof JsonNumber ? stateAt(context, block.toString()) : stateOfCall(context, block);
}

/**
 * Returns the height of the block that `{ blockNumber }` or `{ blockHash }` names.
 * @throws {RpcError} the object is malformed, or the block does not exist
 */
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

/** Returns the state after the block at a height. @throws {RpcError} the state is pruned */
export function pastView(api: ApiContext, height: number): ChainView {
  try {
    return api.viewAt(height);
  } catch (error) {
    if (!(error instanceof TronError) || error.code !== 'HISTORY_NOT_KEPT') throw error;
    throw internalError(error.message);
  }
}
