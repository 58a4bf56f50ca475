import { Account, AccountAccountResource, AssetIssueContract, ContractState, DelegatedResource, DelegatedResourceAccountIndex, Exchange, MarketAccountOrder, MarketOrder, MarketOrderIdList, Proposal, SmartContract, SmartContractABI, Votes, Witness, } from '../../log/codec/generated/messages.js';
import { addressBytes } from '../../log/domain/address.js';
import { fromHex } from '../../log/domain/bytes.js';
import { compareMarketPriceKeys } from '../../projections/market-price-order.js';
import { storeId } from '../../projections/stores.js';
import { Journal } from './journal.js';
import { Properties, propertyCodec } from './properties.js';
import { byteRows, int64Rows, messageRows } from './row-codecs.js';
import { Table } from './table.js';
/**
 * What the rules read and write: decoded rows over a view, with every write in one journal. Deterministic, no I/O beyond
 * the view, no clock. `mark` and `revertTo` bound every effect of a transaction, a call, a waiting transaction.
 */
export class State {
    rules;
    properties;
    accounts;
    /** Key: address and token id as text; TRC10 balances once they have left the account row. */
    accountAssets;
    /** Balances of 0 that the reference still sees: the block that wrote each account last, by the keys of `accountAssets`. */
    zeroTokens;
    accountIndex;
    accountIdIndex;
    accountTraces;
    balanceTraces;
    /** TRC10 by name (until names may repeat) and by id. */
    assets;
    assetsV2;
    witnesses;
    witnessSchedule;
    votes;
    proposals;
    exchanges;
    exchangesV2;
    marketAccounts;
    marketOrders;
    marketPriceToOrders;
    /** Number of price levels of a pair. */
    marketPairs;
    delegatedResources;
    delegationIndex;
    /** Reward accounting by cycle: keys are text, values of several forms (see `rewards.ts`). */
    delegation;
    /** Nodes of the trie over accounts, by hash. */
    accountTrie;
    merkleTrees;
    nullifiers;
    contracts;
    abis;
    code;
    contractStates;
    /** Key and value are 32 bytes each; see `storage-key.ts` for the two layouts of keys. */
    storage;
    rewardsVi;
    /** Set while a block is executed with balance history on. */
    trace = undefined;
    journal = new Journal();
    tables = [];
    reader;
    constructor(reader, rules) {
        this.reader = reader;
        this.rules = rules;
        this.properties = new Properties(this.table('properties', propertyCodec), rules.configured);
        this.accounts = this.table('account', messageRows(Account));
        this.accountAssets = this.table('account-asset', int64Rows);
        this.zeroTokens = this.table('zero-tokens', int64Rows);
        this.accountIndex = this.table('account-index', byteRows);
        this.accountIdIndex = this.table('accountid-index', byteRows);
        this.accountTraces = this.table('account-trace', byteRows);
        this.balanceTraces = this.table('balance-trace', byteRows);
        this.assets = this.table('asset-issue', messageRows(AssetIssueContract));
        this.assetsV2 = this.table('asset-issue-v2', messageRows(AssetIssueContract));
        this.witnesses = this.table('witness', messageRows(Witness));
        this.witnessSchedule = this.table('witness_schedule', byteRows);
        this.votes = this.table('votes', messageRows(Votes));
        this.proposals = this.table('proposal', messageRows(Proposal));
        this.exchanges = this.table('exchange', messageRows(Exchange));
        this.exchangesV2 = this.table('exchange-v2', messageRows(Exchange));
        this.marketAccounts = this.table('market_account', messageRows(MarketAccountOrder));
        this.marketOrders = this.table('market_order', messageRows(MarketOrder));
        this.marketPriceToOrders = this.table('market_pair_price_to_order', messageRows(MarketOrderIdList), (a, b) => compareMarketPriceKeys(fromHex(a), fromHex(b)));
        this.marketPairs = this.table('market_pair_to_price', int64Rows);
        this.delegatedResources = this.table('DelegatedResource', messageRows(DelegatedResource));
        this.delegationIndex = this.table('DelegatedResourceAccountIndex', messageRows(DelegatedResourceAccountIndex));
        this.delegation = this.table('delegation', byteRows);
        this.accountTrie = this.table('accountTrie', byteRows);
        this.merkleTrees = this.table('IncrementalMerkleTree', byteRows);
        this.nullifiers = this.table('nullifier', byteRows);
        this.contracts = this.table('contract', messageRows(SmartContract));
        this.abis = this.table('abi', messageRows(SmartContractABI));
        this.code = this.table('code', byteRows);
        this.contractStates = this.table('contract-state', messageRows(ContractState));
        this.storage = this.table('storage-row', byteRows);
        this.rewardsVi = this.table('rewards-vi', byteRows);
    }
    /** Number of the block under execution. */
    get blockNumber() {
        return this.properties.get('latest_block_header_number') + 1n;
    }
    mark() {
        return this.journal.mark();
    }
    revertTo(mark) {
        this.journal.revertTo(mark);
    }
    /** For reading only. */
    account(address) {
        return this.accounts.get(address);
    }
    /**
     * The account for changing in place; undefined when absent. Call `saveAccount` where the reference stores the account:
     * the balance history lists one operation for each time a changed balance is stored.
     */
    accountToWrite(address) {
        const account = this.accounts.toWrite(address);
        if (account === undefined)
            return undefined;
        this.trace?.watch(address, account.balance);
        if (!account.assetOptimized && this.properties.isOn('ALLOW_ASSET_OPTIMIZATION'))
            this.moveAssets(address, account);
        return account;
    }
    /** Notes that an account's balance as it is now was stored. */
    saveAccount(address, account) {
        this.trace?.saved(address, account.balance);
    }
    /** Adds an account row as the caller filled it. */
    putAccount(address, account) {
        if (this.properties.isOn('ALLOW_ASSET_OPTIMIZATION'))
            account.assetOptimized = true;
        this.accounts.put(address, account);
        this.trace?.saved(address, account.balance);
    }
    deleteAccount(address) {
        this.trace?.deleted(address, this.accounts.get(address)?.balance ?? 0n);
        this.accounts.delete(address);
        for (const [key] of this.zeroTokens.range(address))
            this.zeroTokens.delete(key);
    }
    /** Changed rows since the last commit, which then become the committed ones. Marks taken before are void. */
    commit() {
        const changes = [];
        for (const table of this.tables)
            table.commit(changes);
        this.journal.clear();
        return changes;
    }
    /** Rows written since a mark, as they would be stored now. */
    writtenSince(mark) {
        return [...this.journal.writtenSince(mark)].map((entry) => entry.table.stored(entry));
    }
    /** Accounts written since a mark, each once, as they are now. */
    accountsWrittenSince(mark) {
        const written = [];
        for (const { table, key, value } of this.journal.writtenSince(mark)) {
            if (table === this.accounts && value !== undefined)
                written.push([key, value]);
        }
        return written;
    }
    /** Drops every decoded row: after rows were changed behind this state (a fork switch, another view). */
    reset(reader = this.reader) {
        this.reader = reader;
        for (const table of this.tables)
            table.reset(reader);
        this.journal.clear();
    }
    /** TRC10 balances leave the account row at its first write after asset optimisation is on (architecture, section 2). */
    moveAssets(address, account) {
        for (const [id, amount] of account.assetV2) {
            const key = address + Buffer.from(id).toString('hex');
            if (amount === 0n)
                this.zeroTokens.put(key, this.blockNumber);
            else
                this.accountAssets.put(key, amount);
        }
        account.assetV2 = new Map();
        account.asset = new Map();
        account.assetOptimized = true;
    }
    table(name, codec, compare) {
        const table = new Table(storeId(name), codec, this.journal, this.reader, compare);
        this.tables.push(table);
        return table;
    }
}
/** A new account row, in the form that the reference writes. */
export function newAccount(address, fields = {}) {
    return Object.assign(new Account(), { address: addressBytes(address) }, fields);
}
/** The energy half of an account, made when it is absent. */
export function resourceOf(account) {
    account.accountResource ??= new AccountAccountResource();
    return account.accountResource;
}
//# sourceMappingURL=state.js.map