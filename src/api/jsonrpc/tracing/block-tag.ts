import { type Json, JsonNumber } from '../json-text.js';
import { invalidParams } from '../rpc-error.js';

/** Returns a block tag or number as text. @throws {RpcError} the value is neither */
export function blockTagOf(block: Json): string | null {
  if (block instanceof JsonNumber) return block.toString();
  if (block === null || typeof block === 'string') return block;
  throw invalidParams('invalid block number');
}
