import { type Account, AccountFrozen } from '../../codec/generated/messages.js';
import { bucketsAfterPutAll, JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { tokenBalances } from '../../state-transition/balances/tokens.js';
import { moveAllTokens, moveTrx } from '../../state-transition/balances/transfers.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { ContractValidateError } from '../../state-transition/errors.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { updateStakedUsage } from '../../state-transition/resources/bandwidth.js';
import { updateEnergyUsage } from '../../state-transition/resources/energy.js';
import { addFrozenV2, ResourceCode } from '../../state-transition/resources/stake.js';
import { headSlot, setWindow, undelegateIncrease } from '../../state-transition/resources/usage.js';
import { setUsage } from '../../state-transition/staking/stake-fields.js';
import { expiredUnfreezing } from '../../state-transition/staking/unfreezing.js';
import { collectReward } from '../../state-transition/staking/vote-reward.js';
import { clearVotes } from '../../state-transition/staking/votes.js';
import { resourceOf, type State } from '../../state-transition/state/state.js';
import { failure, refusedAsTimeout, transferFailed } from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { InternalCall } from '../machine/internal-transaction.js';
import type { Machine } from '../machine/machine.js';

const { BANDWIDTH, ENERGY } = ResourceCode;

/**
 * Returns true if a contract may destroy itself: it has not delegated stake, and has no pending unfreezing of stake
 * 2.0. Reference: Program.canSuicide.
 */
export function canSelfDestruct({ state, rules, accounts }: Machine, frame: CallFrame): boolean {
  const account = accounts.existing(frame.context);
  return !(rules.freeze && hasDelegatedV1(account)) && !(rules.freezeV2 && isBoundV2(state, account));
}

/**
 * Returns true if a contract may destroy itself under proposal 94: `canSelfDestruct` is true, and it has no unexpired
 * stake 1.0. Reference: Program.canSuicide2.
 */
export function canMoveStake({ state, rules, accounts }: Machine, frame: CallFrame): boolean {
  const account = accounts.existing(frame.context);
  const isBoundV1 = rules.freeze && (hasFrozenV1(state, account) || hasDelegatedV1(account));
  return !isBoundV1 && !(rules.freezeV2 && isBoundV2(state, account));
}

function hasDelegatedV1({ delegatedFrozenBalanceForBandwidth, accountResource }: Account): boolean {
  return delegatedFrozenBalanceForBandwidth !== 0n || (accountResource?.delegatedFrozenBalanceForEnergy ?? 0n) !== 0n;
}

function hasFrozenV1({ properties }: State, { frozen, accountResource }: Account): boolean {
  const now = properties.get('latest_block_header_timestamp');
  const energy = accountResource?.frozenBalanceForEnergy;
  return (
    frozen.some(({ expireTime }) => expireTime > now) ||
    (energy !== undefined && energy.frozenBalance > 0n && energy.expireTime > now)
  );
}

function isBoundV2({ properties }: State, account: Account): boolean {
  if (account.delegatedFrozenV2BalanceForBandwidth !== 0n) return true;
  if ((account.accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n) !== 0n) return true;
  const now = properties.get('latest_block_header_timestamp');
  return account.unfrozenV2.some(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
}

/**
 * Moves all assets of a contract to `to`, and marks the contract for deletion after the transaction. If `to` is the
 * contract itself, its assets are burned or go to the blackhole account. Reference: Program.suicide.
 * @throws {VmError} the transfer of the assets fails
 */
export function selfDestruct(machine: Machine, frame: CallFrame, to: bigint): void {
  const { state, rules, accounts } = machine;
  const { depth } = frame;
  const owner = frame.context;
  const obtainer = machine.addressOf(to);
  if (rules.vote) removeVotes(machine, owner);
  const { balance } = accounts.existing(owner);
  machine.nonce++;
  const internal = machine.note(frame, {
    receiver: obtainer,
    value: balance,
    note: 'suicide',
    tokens: tokensOf(machine, owner),
  });
  // Before proposal 81, this comparison ignores the last of the 21 bytes of the addresses. The comparison for `heir`
  // below always covers all bytes.
  const digits = rules.energyAdjustment ? 42 : 40;
  if (owner.slice(0, digits) === obtainer.slice(0, digits)) {
    accounts.addBalance(owner, -balance, depth);
    if (rules.transferTrc10) {
      accounts.addBalance(state.rules.blackhole, balance, depth);
      moveAllTokens(accounts, owner, state.rules.blackhole);
    }
  } else {
    if (rules.solidity059 && accounts.get(obtainer) === undefined) accounts.createNormal(obtainer, depth);
    moveAll(machine, owner, obtainer, balance, depth);
  }
  const heir = owner === obtainer ? state.rules.blackhole : obtainer;
  if (rules.freeze) moveStakeV1(machine, owner, heir, depth);
  if (rules.freezeV2) moveStakeV2(machine, frame, heir, internal);
  machine.destroyed.add(owner);
  machine.deleted.push(owner);
}

/**
 * SELFDESTRUCT since proposal 94: moves the assets of a contract to `to`, and deletes the contract only if it was
 * created in the same transaction. Reference: Program.suicide2.
 * @throws {VmError} the transfer of the assets fails; OUT_OF_TIME, since 4.8.2.2: `to` has already destroyed itself
 */
export function moveStake(machine: Machine, frame: CallFrame, to: bigint): void {
  if (machine.destroyed.has(machine.addressOf(to)) && hasPassed(machine.state, VERSION.V4_8_2_2)) {
    throw refusedAsTimeout('SELFDESTRUCT with selfdestructed beneficiary');
  }
  if (machine.created.has(frame.context)) selfDestruct(machine, frame, to);
  else moveOut(machine, frame, to);
}

/** Moves all assets of a contract to `to`, unless `to` is the contract itself. Does not delete the contract. */
function moveOut(machine: Machine, frame: CallFrame, to: bigint): void {
  const { rules, accounts } = machine;
  const { depth } = frame;
  const owner = frame.context;
  const heir = machine.addressOf(to);
  machine.nonce++;
  const internal = machine.note(frame, {
    receiver: heir,
    value: accounts.existing(owner).balance,
    note: 'suicide',
    tokens: tokensOf(machine, owner),
  });
  machine.destroyed.add(owner);
  if (owner === heir) return;
  if (rules.vote) removeVotes(machine, owner);
  const { balance } = accounts.existing(owner);
  internal.value = balance;
  if (rules.solidity059 && accounts.get(heir) === undefined) accounts.createNormal(heir, depth);
  moveAll(machine, owner, heir, balance, depth);
  if (rules.freeze) moveStakeV1(machine, owner, heir, depth);
  if (rules.freezeV2) moveStakeV2(machine, frame, heir, internal);
}

function moveAll(
  { rules, accounts }: Machine,
  owner: Address,
  obtainer: Address,
  balance: bigint,
  depth: number,
): void {
  try {
    moveTrx(accounts, owner, obtainer, balance, depth);
    if (rules.transferTrc10) moveAllTokens(accounts, owner, obtainer);
  } catch (error) {
    if (!(error instanceof ContractValidateError)) throw error;
    if (!rules.constantinople) throw failure('transfer failure');
    throw transferFailed(`transfer all token or transfer all trx failed in suicide: ${error.text}`);
  }
}

/**
 * Adds the voting reward and the allowance to the balance, and removes all votes. Reference:
 * Program.withdrawRewardAndCancelVote.
 */
function removeVotes({ state, accounts, block }: Machine, owner: Address): void {
  collectReward(accounts, owner);
  const account = accounts.writeExisting(owner);
  if (account.votes.length > 0) {
    clearVotes(state, owner, account);
    account.oldTronPower = 0n;
  }
  const balance = account.balance + account.allowance;
  if (BigInt.asIntN(64, balance) !== balance) throw failure('Suicide: balance and allowance out of long range.');
  account.balance = balance;
  account.allowance = 0n;
  account.latestWithdrawTime = BigInt(block.timestamp) * 1000n;
}

/** Returns the TRC10 balances in the iteration order of java-tron's hash map. */
function tokensOf({ state, accounts }: Machine, owner: Address): (readonly [string, bigint])[] {
  const balances = tokenBalances(state, owner, accounts.existing(owner));
  const map = new JavaHashMap<string, bigint>(javaHashOfText, bucketsAfterPutAll(balances.size));
  for (const [id, amount] of balances) map.set(id, amount);
  return map.entries();
}

/**
 * Adds the contract's frozen stake 1.0 to the beneficiary's balance. Reference:
 * Program.transferDelegatedResourceToInheritor.
 */
function moveStakeV1({ state, rules, accounts }: Machine, owner: Address, heir: Address, depth: number): void {
  const account = accounts.existing(owner);
  const bandwidth = account.frozen[0]?.frozenBalance ?? 0n;
  const energy = account.accountResource?.frozenBalanceForEnergy?.frozenBalance ?? 0n;
  state.properties.add('TOTAL_NET_WEIGHT', -bandwidth / SUN_PER_TRX);
  state.properties.add('TOTAL_ENERGY_WEIGHT', -energy / SUN_PER_TRX);
  accounts.addBalance(heir, bandwidth + energy, depth);
  if (!rules.selfDestructRestriction) return;
  const cleared = accounts.writeExisting(owner);
  // java-tron writes empty amounts even if the contract had no stake.
  cleared.frozen[0] = new AccountFrozen();
  resourceOf(cleared).frozenBalanceForEnergy = new AccountFrozen();
}

/**
 * Moves the contract's stake 2.0, its usage and its expired unfreezings to the beneficiary. Reference:
 * Program.transferFrozenV2BalanceToInheritor.
 */
function moveStakeV2(machine: Machine, frame: CallFrame, heir: Address, internal: InternalCall): void {
  const { state, accounts } = machine;
  const owner = frame.context;
  const account = accounts.writeExisting(owner);
  const target = accounts.write(heir);
  if (target === undefined) throw failure(null);
  const now = headSlot(state);
  for (const { type, amount } of account.frozenV2) if (amount > 0n) addFrozenV2(target, type, amount);
  updateStakedUsage(state, account);
  account.latestConsumeTime = now;
  if (account.netUsage > 0n) {
    const move = { transferUsage: account.netUsage, resource: BANDWIDTH, now };
    setUsage(target, BANDWIDTH, undelegateIncrease(state, target, account, move), now);
  }
  updateEnergyUsage(state, account);
  const resource = resourceOf(account);
  resource.latestConsumeTimeForEnergy = now;
  if (resource.energyUsage > 0n) {
    const move = { transferUsage: resource.energyUsage, resource: ENERGY, now };
    setUsage(target, ENERGY, undelegateIncrease(state, target, account, move), now);
  }
  const due = expiredUnfreezing(account, state.properties.get('latest_block_header_timestamp'));
  if (due > 0n) {
    target.balance = BigInt.asIntN(64, target.balance + due);
    machine.nonce++;
    machine.note(frame, { receiver: heir, value: due, note: 'withdrawExpireUnfreezeWhileSuiciding' });
    internal.value = BigInt.asIntN(64, internal.value + due);
  }
  account.frozenV2 = [];
  account.netUsage = 0n;
  setWindow(account, BANDWIDTH, 0n);
  resource.energyUsage = 0n;
  setWindow(account, ENERGY, 0n);
  account.unfrozenV2 = [];
}
