import { Account } from '../log/codec/generated/messages.js';
import { fromInt64, toInt64 } from '../log/domain/bytes.js';
import { JavaDataError } from './java-data-error.js';
import { NEWEST } from './write-batch.js';
/** Property that moves TRC10 balances into rows of their own. Reference: DynamicPropertiesStore.getAllowAccountAssetOptimizationFromRoot. */
const OPTIMISES_ASSETS = 'ALLOW_ASSET_OPTIMIZATION';
const HEAD_NUMBER = 'latest_block_header_number';
const ADDRESS_BYTES = 21;
/**
 * What the checkpoints of a folder make of its stores. The reference keeps TRC10 balances in the account row up to the moment in which a
 * flush or a checkpoint writes it, and takes them out there. Reference: SnapshotRoot.processAccount.
 */
export class CheckpointOverlay {
    stores = new Map();
    /** Accounts whose balances the store must not keep, in latin1. */
    emptied = new Set();
    /** Accounts that have rows in the overlay of `account-asset`. */
    owners = new Set();
    property;
    /** @param property value of a property in the store, without the checkpoints @throws {JavaDataError} */
    constructor(checkpoints, property) {
        this.property = property;
        for (const checkpoint of checkpoints)
            this.apply(checkpoint);
        const [before, now] = [property(HEAD_NUMBER), this.propertyNow(HEAD_NUMBER)];
        if (before !== undefined && now !== undefined && toInt64(now) < toInt64(before)) {
            throw new JavaDataError(checkpoints.at(-1).path, 'it is older than the stores: a newer one was lost');
        }
    }
    /** Rows of a store in no order, all newer than what is in it. */
    rows(store) {
        return [...(this.stores.get(store) ?? [])].map(([key, value]) => ({
            key: Buffer.from(key, 'latin1'),
            value,
            sequence: NEWEST,
        }));
    }
    /** Whether a row of the store `account-asset` was taken away with all others of its account. */
    isEmptied(key) {
        return this.emptied.size > 0 && this.emptied.has(key.toString('latin1', 0, ADDRESS_BYTES));
    }
    /** Whether rows of a store's log are all written again by the checkpoints, so that none of them is missed. */
    covers(store, rows) {
        const overlay = this.stores.get(store);
        if (overlay === undefined || rows.length === 0)
            return false;
        return rows.every(({ key, value }) => {
            const text = key.toString('latin1');
            if (store === 'account-asset' && this.isEmptied(key) && value === undefined)
                return true;
            const newer = overlay.get(text);
            return overlay.has(text) && (newer === undefined ? value === undefined : value?.equals(newer) === true);
        });
    }
    /** Value of a property with the checkpoints. */
    propertyNow(name) {
        const overlay = this.stores.get('properties');
        return overlay?.has(name) ? overlay.get(name) : this.property(name);
    }
    apply({ path, rows }) {
        const accounts = [];
        for (const { store, key, value } of rows()) {
            if (store === 'account')
                accounts.push([key, value]);
            else
                this.of(store).set(key.toString('latin1'), value);
        }
        const isOptimised = toInt64(this.propertyNow(OPTIMISES_ASSETS) ?? new Uint8Array(0)) === 1n;
        for (const [key, value] of accounts) {
            if (isOptimised)
                this.splitAccount(key, value, path);
            else
                this.of('account').set(key.toString('latin1'), value);
        }
    }
    splitAccount(key, value, path) {
        const text = key.toString('latin1');
        if (value === undefined || value.length === 0) {
            this.of('account').set(text, undefined);
            this.empty(text);
            return;
        }
        const account = decodeAccount(value, path);
        if (!account.assetOptimized)
            this.empty(text);
        account.assetOptimized = true;
        const assets = this.of('account-asset');
        if (account.assetV2.size > 0)
            this.owners.add(Buffer.from(account.address).toString('latin1'));
        for (const [token, amount] of account.assetV2) {
            const row = Buffer.concat([account.address, Buffer.from(token)]).toString('latin1');
            assets.set(row, amount === 0n ? undefined : Buffer.from(fromInt64(amount)));
        }
        account.asset.clear();
        account.assetV2.clear();
        this.of('account').set(text, Buffer.from(Account.encode(account)));
    }
    empty(address) {
        this.emptied.add(address);
        if (!this.owners.delete(address))
            return;
        const assets = this.of('account-asset');
        for (const row of assets.keys())
            if (row.startsWith(address))
                assets.delete(row);
    }
    of(store) {
        let overlay = this.stores.get(store);
        if (overlay === undefined) {
            overlay = new Map();
            this.stores.set(store, overlay);
        }
        return overlay;
    }
}
function decodeAccount(value, path) {
    try {
        return Account.decode(value);
    }
    catch (cause) {
        throw new JavaDataError(path, 'it holds an account that is none', { cause });
    }
}
//# sourceMappingURL=checkpoint-overlay.js.map