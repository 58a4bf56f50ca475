import { Account, DelegatedResource } from '../../../log/codec/generated/messages.js';
import { storeId } from '../../../projections/stores.js';
import { printMessage } from '../../json/print-message.js';
import { RESOURCES, stakedFor } from '../../operations/staked.js';
import { TRIGGER_FRAMES } from '../sink-options.js';
import { addressText } from './address-text.js';
const ACCOUNT = storeId('account');
const DELEGATION = storeId('DelegatedResource');
/**
 * Stake, votes, rewards, permissions and balances that a block changed, told from the difference of the state, so that nothing is missed
 * whatever changed it: a transaction, a contract, maintenance. In the order of the rows' keys.
 */
export function stateChanges(block, rows, removed) {
    return rows.flatMap((row) => {
        if (row.store === ACCOUNT)
            return accountChanges(block, row, removed);
        return row.store === DELEGATION ? delegationChanges(block, row, removed) : [];
    });
}
function accountChanges(block, { key, before, after }, removed) {
    const [old, now] = [before, after].map((row) => (row === undefined ? new Account() : Account.decode(row)));
    const address = addressText(key);
    const events = [];
    const add = (trigger, was, is, resource) => {
        if (was === is)
            return;
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
function votesOf({ votes }) {
    return `[${votes.map(({ voteAddress, voteCount }) => `{"address":"${addressText(voteAddress)}","count":${voteCount}}`).join(',')}]`;
}
function permissionsOf({ ownerPermission, witnessPermission, activePermission }) {
    const print = (permission) => permission === undefined ? 'null' : printMessage(permission, true);
    return `{"owner":${print(ownerPermission)},"witness":${print(witnessPermission)},"active":[${activePermission.map(print).join(',')}]}`;
}
function delegationChanges(block, { key, before, after }, removed) {
    const [old, now] = [before, after].map((row) => row && DelegatedResource.decode(row));
    const named = now ?? old;
    if (named === undefined)
        return [];
    const [from, to] = [addressText(named.from), addressText(named.to)];
    const isLocked = key.length === LOCKABLE_KEY_BYTES && key[0] === LOCKED;
    return ['Bandwidth', 'Energy'].flatMap((field) => {
        const resource = field === 'Bandwidth' ? 'BANDWIDTH' : 'ENERGY';
        const [was, is] = [old?.[`frozenBalanceFor${field}`] ?? 0n, now?.[`frozenBalanceFor${field}`] ?? 0n];
        if (was === is)
            return [];
        const trigger = is > was ? 'delegate' : 'undelegate';
        const expireTime = now?.[`expireTimeFor${field}`] ?? 0n;
        const payload = `${head(trigger, block, removed)},"from":"${from}","to":"${to}","resource":"${resource}",` +
            `"locked":${isLocked},"expireTime":${expireTime},"before":${was},"after":${is}}`;
        return [{ trigger, address: from, to, resource, before: String(was), after: String(is), payload }];
    });
}
/** Rows of stake 2.0 begin with a byte that says whether they are locked. */
const LOCKABLE_KEY_BYTES = 43;
const LOCKED = 2;
function head(trigger, { timeMs, number, id }, removed) {
    return `{"timeStamp":${timeMs},"triggerName":"${TRIGGER_FRAMES[trigger]}","blockNumber":${number},"blockHash":"${id}","removed":${removed}`;
}
//# sourceMappingURL=change-trigger.js.map