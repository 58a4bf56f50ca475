import { Account, DelegatedResource, type Permission } from '../../../codec/generated/messages.js';
import { addressText } from '../../../content/address-text.js';
import { printMessage } from '../../../content/json/print-message.js';
import { RESOURCES, type Resource, stakedFor } from '../../../content/staked.js';
import type { RowChange } from '../../../projections/rows/state-reader.js';
import { storeId } from '../../../projections/rows/stores.js';
import { type ChangeTrigger, TRIGGER_FRAMES } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';

/** Something that a block changed in the state, with its values before and after. */
export interface StateChangeEvent {
  readonly trigger: ChangeTrigger;
  /** Base58Check address of the account that it happened to; the lender's of a delegation. */
  readonly address: string;
  /** Of stake and delegations. */
  readonly resource?: Resource;
  /** Base58Check address of who got a delegation. */
  readonly to?: string;
  /** JSON text of the values. */
  readonly before: string;
  readonly after: string;
  /** JSON text of the whole event. */
  readonly payload: string;
}

type ChangedBlock = Pick<BlockContent, 'timeMs' | 'number' | 'id'>;

const ACCOUNT = storeId('account');
const DELEGATION = storeId('DelegatedResource');

/**
 * Stake, votes, rewards, permissions and balances that a block changed, told from the difference of the state, so that nothing is missed
 * whatever changed it: a transaction, a contract, maintenance. In the order of the rows' keys.
 */
export function stateChanges(block: ChangedBlock, rows: readonly RowChange[], removed: boolean): StateChangeEvent[] {
  return rows.flatMap((row) => {
    if (row.store === ACCOUNT) return accountChanges(block, row, removed);
    return row.store === DELEGATION ? delegationChanges(block, row, removed) : [];
  });
}

function accountChanges(block: ChangedBlock, { key, before, after }: RowChange, removed: boolean): StateChangeEvent[] {
  const [old, now] = [before, after].map((row) => (row === undefined ? new Account() : Account.decode(row))) as [
    Account,
    Account,
  ];
  const address = addressText(key);
  const events: StateChangeEvent[] = [];
  const add = (trigger: ChangeTrigger, was: string, is: string, resource?: Resource): void => {
    if (was === is) return;
    const more = resource === undefined ? '' : `"resource":"${resource}",`;
    const payload = `${head(trigger, block, removed)},"address":"${address}",${more}"before":${was},"after":${is}}`;
    events.push({ trigger, address, before: was, after: is, payload, ...(resource && { resource }) });
  };
  for (const resource of RESOURCES) {
    const [was, is] = [stakedFor(old, resource), stakedFor(now, resource)];
    add(is > was ? 'stake' : 'unstake', String(was), String(is), resource);
  }
  add('vote', votesOf(old), votesOf(now));
  add('reward', String(old.allowance), String(now.allowance));
  add('permission', permissionsOf(old), permissionsOf(now));
  add('balance', String(old.balance), String(now.balance));
  return events;
}

function votesOf({ votes }: Account): string {
  return `[${votes.map(({ voteAddress, voteCount }) => `{"address":"${addressText(voteAddress)}","count":${voteCount}}`).join(',')}]`;
}

function permissionsOf({ ownerPermission, witnessPermission, activePermission }: Account): string {
  const print = (permission: Permission | undefined): string =>
    permission === undefined ? 'null' : printMessage(permission, true);
  return `{"owner":${print(ownerPermission)},"witness":${print(witnessPermission)},"active":[${activePermission.map(print).join(',')}]}`;
}

function delegationChanges(
  block: ChangedBlock,
  { key, before, after }: RowChange,
  removed: boolean,
): StateChangeEvent[] {
  const [old, now] = [before, after].map((row) => row && DelegatedResource.decode(row));
  const named = now ?? old;
  if (named === undefined) return [];
  const [from, to] = [addressText(named.from), addressText(named.to)];
  const isLocked = key.length === LOCKABLE_KEY_BYTES && key[0] === LOCKED;
  return (['Bandwidth', 'Energy'] as const).flatMap((field) => {
    const resource = field === 'Bandwidth' ? 'BANDWIDTH' : 'ENERGY';
    const [was, is] = [old?.[`frozenBalanceFor${field}`] ?? 0n, now?.[`frozenBalanceFor${field}`] ?? 0n];
    if (was === is) return [];
    const trigger = is > was ? 'delegate' : 'undelegate';
    const expireTime = now?.[`expireTimeFor${field}`] ?? 0n;
    const payload =
      `${head(trigger, block, removed)},"from":"${from}","to":"${to}","resource":"${resource}",` +
      `"locked":${isLocked},"expireTime":${expireTime},"before":${was},"after":${is}}`;
    return [{ trigger, address: from, to, resource, before: String(was), after: String(is), payload } as const];
  });
}

/** Rows of stake 2.0 begin with a byte that says whether they are locked. */
const LOCKABLE_KEY_BYTES = 43;
const LOCKED = 2;

function head(trigger: ChangeTrigger, { timeMs, number, id }: ChangedBlock, removed: boolean): string {
  return `{"timeStamp":${timeMs},"triggerName":"${TRIGGER_FRAMES[trigger]}","blockNumber":${number},"blockHash":"${id}","removed":${removed}`;
}
