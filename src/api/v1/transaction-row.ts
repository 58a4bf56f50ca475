import type { InternalTransaction } from '../../codec/generated/messages.js';
import { JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { transactionToJson } from '../../encoding/json/print-transaction.js';
import { toHex } from '../../primitives/bytes.js';
import type { ApiSettings } from '../context/api-context.js';
import type { ReadBlock, ReadTransaction } from '../context/read-block.js';

/**
 * Renders a transaction in the form of `/wallet`. Adds the position in the chain, the fees in SUN, and the used
 * bandwidth and energy.
 */
export function transactionRow(
  { number, header }: ReadBlock,
  { message, info }: ReadTransaction,
  { release, addressPrefix }: Pick<ApiSettings, 'release' | 'addressPrefix'>,
): JsonObject {
  const object = transactionToJson(message, { visible: false, release, addressPrefix });
  const [outcome] = (object.get('ret') ?? []) as readonly JsonObject[];
  outcome?.set('fee', info?.fee ?? 0n);
  const { netUsage = 0n, netFee = 0n, energyUsage = 0n, energyFee = 0n, energyUsageTotal = 0n } = info?.receipt ?? {};
  object.set('net_usage', netUsage);
  object.set('net_fee', netFee);
  object.set('energy_usage', energyUsage);
  object.set('energy_fee', energyFee);
  object.set('energy_usage_total', energyUsageTotal);
  object.set('blockNumber', BigInt(number));
  object.set('block_timestamp', BigInt(header.timestamp));
  object.set('internal_transactions', []);
  return object;
}

/**
 * Renders an internal transaction. The member `call_value` contains amounts by token id. The id `_` means TRX, in SUN.
 */
export function internalRow({ header }: ReadBlock, { id }: ReadTransaction, internal: InternalTransaction): JsonObject {
  const moved = new JsonObject();
  for (const { callValue, tokenId } of internal.callValueInfo) moved.set(tokenId || '_', callValue);
  return jsonObject({
    internal_tx_id: toHex(internal.hash),
    data: jsonObject({ note: toHex(internal.note), rejected: internal.rejected, call_value: moved }),
    block_timestamp: BigInt(header.timestamp),
    to_address: toHex(internal.transferToAddress),
    tx_id: toHex(id),
    from_address: toHex(internal.callerAddress),
  });
}
