import type { Family } from '../scene.js';
import * as accounts from './accounts.js';
import * as assets from './assets.js';
import * as contracts from './contracts.js';
import * as endings from './endings.js';
import * as governance from './governance.js';
import * as logEmitters from './log-emitters.js';
import * as longRuns from './long-runs.js';
import * as permissions from './permissions.js';
import * as scripts from './scripts.js';
import * as stakeV1 from './stake-v1.js';
import * as stakeV2 from './stake-v2.js';
import * as trade from './trade.js';

/** Kinds of transactions with their weights. */
export const families: readonly (readonly [weight: number, family: Family])[] = [
  [4, accounts.transfer],
  [2, accounts.transferNearlyAll],
  [2, accounts.createAccount],
  [1, accounts.nameAccount],
  [1, accounts.identifyAccount],
  [4, stakeV1.freeze],
  [4, stakeV1.unfreeze],
  [2, stakeV1.withdrawReward],
  [4, stakeV2.freezeV2],
  [4, stakeV2.unfreezeV2],
  [2, stakeV2.withdrawUnfrozen],
  [1, stakeV2.cancelUnfreezing],
  [4, stakeV2.delegate],
  [4, stakeV2.undelegate],
  [2, assets.issueAsset],
  [3, assets.transferAsset],
  [2, assets.participate],
  [1, assets.unfreezeAsset],
  [1, assets.updateAsset],
  [2, trade.createExchange],
  [2, trade.injectExchange],
  [2, trade.withdrawExchange],
  [5, trade.tradeExchange],
  [6, trade.sellAsset],
  [2, trade.cancelOrder],
  [5, governance.vote],
  [1, governance.becomeWitness],
  [1, governance.renameWitness],
  [1, governance.setBrokerage],
  [1, governance.propose],
  [4, governance.approve],
  [1, governance.dropProposal],
  [2, permissions.updatePermissions],
  [1, contracts.deployProxy],
  [2, contracts.deployRandom],
  [12, contracts.callProxy],
  [1, endings.stakeProxy],
  [1, endings.endProxy],
  [4, contracts.callRandom],
  [4, contracts.runAgain],
  [2, logEmitters.deployLogEmitter],
  [8, logEmitters.emitLogs],
  [1, contracts.setPercent],
  [1, contracts.setEnergyLimit],
  [1, contracts.clearAbi],
];

/** Kinds of transactions for attempts, with their weights. An attempt executes a transaction without storing it. */
export const tried: typeof families = [
  [60, scripts.runScript],
  [30, contracts.deployRandom],
  [30, contracts.callProxy],
  [20, endings.endProxy],
  [10, contracts.callRandom],
  [10, contracts.runAgain],
  [12, longRuns.runLong],
  ...families,
];
