import {
  type Account,
  Any,
  TransactionContractContractType as ContractType,
  DelegateResourceContract,
  ResourceCode,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../../codec/generated/messages.js';
import { SUN_PER_TRX } from '../../../primitives/units.js';
import { frozenV2 } from '../../resources/stake.js';
import type { State } from '../../state/state.js';
import { DEFAULT_LOCK_BLOCKS } from './staking-rules.js';

/** Size of the smallest delegation transaction, in bytes. Reference: ChainConstant.DELEGATE_COST_BASE_SIZE. */
const BASE_BYTES = 275n;

/**
 * Returns the maximum size in bytes of a delegation transaction of this account. The transaction itself needs this
 * bandwidth, so the account cannot delegate it. Reference: TransactionUtil.estimateConsumeBandWidthSize.
 */
export function delegationBytes(state: State, account: Account): bigint {
  const { properties } = state;
  const max = properties.get('MAX_DELEGATE_LOCK_PERIOD');
  const isLong = max > DEFAULT_LOCK_BLOCKS && properties.supportsUnfreezeDelay();
  const largest = sizeOf({
    lock: true,
    balance: frozenV2(account, ResourceCode.BANDWIDTH),
    ...(isLong ? { lockPeriod: max } : {}),
  });
  const added = largest - sizeOf({ balance: SUN_PER_TRX });
  return BASE_BYTES + BigInt(Math.max(added, 0));
}

function sizeOf(fields: Partial<DelegateResourceContract>): number {
  const parameter = Object.assign(new Any(), {
    typeUrl: 'type.googleapis.com/protocol.DelegateResourceContract',
    value: DelegateResourceContract.encode(Object.assign(new DelegateResourceContract(), fields)),
  });
  const contract = Object.assign(new TransactionContract(), { type: ContractType.DelegateResourceContract, parameter });
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract] });
  return Transaction.encode(Object.assign(new Transaction(), { rawData })).length;
}
