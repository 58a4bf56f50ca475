import { Account, DelegatedResource, type Permission } from '../../../codec/generated/messages.js';
import { addressText } from '../../../encoding/address-text.js';
import { printMessage } from '../../../encoding/json/print-message.js';
import { RESOURCES, type Resource, stakedFor } from '../../../encoding/staked-resources.js';
import type { RowChange } from '../../../projections/state/state-reader.js';
import { storeId } from '../../../projections/state/stores.js';
import { type ChangeTrigger, TRIGGER_FRAMES } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';
import { jsonOf } from '../event-json.js';
import { type EventObject, type EventValue, PrintedJson } from '../event-value.js';

/** A change of the state by a block, with values before and after. */
export interface StateChangeEvent {
  readonly trigger: ChangeTrigger;
  /** Base58Check address of the changed account. For a delegation, it is the account that delegates. */
  readonly address: string;
  /** Resource of a stake or a delegation; undefined for other changes. */
  readonly resource?: Resource;
  /** Base58Check address of the receiver of a delegation; undefined for other changes. */
  readonly to?: string;
  readonly before: EventValue;
  readonly after: EventValue;
  /** The complete event that is sent. */
  readonly event: EventObject;
}

type ChangedBlock = Pick<BlockContent, 'timeMs' | 'number' | 'id'>;

const ACCOUNT = storeId('account');
const DELEGATION = storeId('DelegatedResource');

/**
 * Returns the changes of stake, votes, rewards, permissions, balances and delegations in a block, in the order of the
 * row keys. The source is the row changes, so changes by transactions, contracts and maintenance are included.
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
  const add = (trigger: ChangeTrigger, before: EventValue, after: EventValue, resource?: Resource): void => {
    if (before === after || jsonOf(before) === jsonOf(after)) return;
    const event = { ...head(trigger, block, removed), address, resource, before, after };
    events.push({ trigger, address, before, after, event, ...(resource && { resource }) });
  };
  for (const resource of RESOURCES) {
    const [was, is] = [stakedFor(old, resource), stakedFor(now, resource)];
    add(is > was ? 'stake' : 'unstake', was, is, resource);
  }
  add('vote', votesOf(old), votesOf(now));
  add('reward', old.allowance, now.allowance);
  add('permission', permissionsOf(old), permissionsOf(now));
  add('balance', old.balance, now.balance);
  return events;
}

function votesOf({ votes }: Account): EventValue {
  return votes.map(({ voteAddress, voteCount }) => ({ address: addressText(voteAddress), count: voteCount }));
}

function permissionsOf({ ownerPermission, witnessPermission, activePermission }: Account): EventValue {
  return {
    owner: printed(ownerPermission),
    witness: printed(witnessPermission),
    active: activePermission.map(printed),
  };
}

function printed(permission: Permission | undefined): PrintedJson | null {
  return permission === undefined ? null : new PrintedJson(printMessage(permission, true, 'fastjson'));
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
    const event = {
      ...head(trigger, block, removed),
      ...{ from, to, resource, locked: isLocked, expireTime, before: was, after: is },
    };
    return [{ trigger, address: from, to, resource, before: was, after: is, event } as const];
  });
}

/** Length of a delegation key of stake 2.0, in bytes. Its first byte is 2 for a locked delegation. */
const LOCKABLE_KEY_BYTES = 43;
const LOCKED = 2;

function head(trigger: ChangeTrigger, { timeMs, number, id }: ChangedBlock, removed: boolean): EventObject {
  const triggerName = TRIGGER_FRAMES[trigger];
  return { timeStamp: timeMs, triggerName, blockNumber: number, blockHash: id, removed };
}
