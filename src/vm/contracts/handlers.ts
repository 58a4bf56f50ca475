import type { ContractHandler } from '../contract-handler.js';
import { cancelAllUnfreezeV2 } from './cancel-all-unfreeze-v2.js';
import { delegateResource } from './delegate-resource.js';
import { freezeBalance } from './freeze-balance.js';
import { freezeBalanceV2 } from './freeze-balance-v2.js';
import { transfer } from './transfer.js';
import { undelegateResource } from './undelegate-resource.js';
import { unfreezeBalance } from './unfreeze-balance.js';
import { unfreezeBalanceV2 } from './unfreeze-balance-v2.js';
import { voteWitness } from './vote-witness.js';
import { withdrawBalance } from './withdraw-balance.js';
import { withdrawExpireUnfreeze } from './withdraw-expire-unfreeze.js';

/** One handler per contract type that is not a smart contract. */
const rows: readonly ContractHandler<object>[] = [
  transfer,
  cancelAllUnfreezeV2,
  delegateResource,
  freezeBalance,
  freezeBalanceV2,
  undelegateResource,
  unfreezeBalance,
  unfreezeBalanceV2,
  voteWitness,
  withdrawBalance,
  withdrawExpireUnfreeze,
];

/** Handlers by contract type. */
export const contractHandlers: ReadonlyMap<number, ContractHandler<object>> = new Map(
  rows.map((handler) => [handler.type, handler]),
);
