import { type Json, JsonNumber } from '../json-text.js';
import { invalidParams } from '../rpc-error.js';

/** A tag or a number as text. @throws {RpcError} */
export function blockTagOf(block: Json): string | null {
  if (block instanceof JsonNumber) return block.toString();
  if (block === null || typeof block === 'string') return block;
  throw invalidParams('invalid block number');
}
