import { join } from 'node:path';
import { seqKey } from '../../log/block-log.js';
import { TransactionResultContractResult as ContractResult, TransactionContractContractType as ContractType, SmartContract, SmartContractABI, } from '../../log/codec/generated/messages.js';
import { EMPTY_BYTES, fromHex, toHex, toUtf8 } from '../../log/domain/bytes.js';
import { openEnvironment } from '../../log/environment.js';
import { storeId } from '../../projections/stores.js';
import { decodeParameter } from '../../vm/transactions/decode-transaction.js';
import { readEntry } from './block-content.js';
import { eventsOfAbi } from './triggers/decode-event.js';
const CONTRACT = storeId('contract');
const NO_EVENTS = new Map();
const CACHE_MAX = 2000;
const COMMIT_BLOCKS = 1000;
const CURSOR = 'cursor';
/**
 * Creator and ABI of every smart contract as they were at any place of the irreversible chain, folded from the log into
 * `<data>/streams/contracts`. State rows will not do: what is sent for a block must not depend on when it is sent, and an ABI can be
 * cleared, a contract destroyed in between. May be deleted at any time: it is filled again from the log.
 */
export class ContractBook {
    ledger;
    environment;
    versions;
    meta;
    cache = new Map();
    waiting = [];
    folded;
    committed;
    constructor(ledger, dataDir) {
        this.ledger = ledger;
        this.environment = openEnvironment(join(dataDir, 'streams', 'contracts'), { readOnly: false });
        this.versions = this.environment.table('versions');
        this.meta = this.environment.table('meta');
        const row = this.meta.getBinary(Buffer.from(CURSOR));
        this.committed = row === undefined ? -1 : Number(Buffer.from(row).readBigInt64BE());
        this.folded = this.committed;
    }
    /** Newest block that is folded in. */
    get height() {
        return this.folded;
    }
    /** Takes in an irreversible block, and those below it that are missing. */
    fold(block) {
        for (let number = this.folded + 1; number < block.number; number++) {
            this.foldBlock(readEntry(this.ledger, this.ledger.block(number)));
        }
        if (block.number > this.folded)
            this.foldBlock(block);
    }
    /**
     * Facts for a log of the transaction at `place`: the creator as that transaction left it, the ABI as it was before it.
     * Reference: LogInfoTriggerParser.parseLogInfos.
     */
    factsAt(address, place) {
        const versions = this.versionsOf(address);
        const made = versions.findLast((version) => compare(version, place) <= 0);
        const before = versions.findLast((version) => compare(version, place) < 0);
        return { creator: made?.creator ?? this.creatorInState(address), events: before?.events ?? NO_EVENTS };
    }
    /** Writes what was folded since the last time. */
    flush() {
        if (this.committed === this.folded)
            return;
        const cursor = Buffer.alloc(8);
        cursor.writeBigInt64BE(BigInt(this.folded));
        const rows = this.waiting;
        this.environment.commit(() => {
            for (const { key, value } of rows)
                this.versions.putSync(key, value);
            this.meta.putSync(Buffer.from(CURSOR), cursor);
        });
        this.waiting = [];
        this.committed = this.folded;
    }
    async close() {
        this.flush();
        await this.environment.close();
    }
    foldBlock(block) {
        for (const change of changesOf(block)) {
            const address = fromHex(change.address);
            this.put(address, change, change.creator ?? this.factsAt(address, change).creator, change.abi);
        }
        this.folded = block.number;
        if (this.folded - this.committed >= COMMIT_BLOCKS)
            this.flush();
    }
    put(address, place, creator, abi) {
        const { number, index } = place;
        this.versionsOf(address).push({ number, index, creator: Uint8Array.from(creator), events: eventsOf(abi) });
        const indexKey = Buffer.alloc(4);
        indexKey.writeUInt32BE(index);
        const key = Buffer.concat([address, seqKey(number), indexKey]);
        this.waiting.push({ key, value: Buffer.concat([Uint8Array.of(creator.length), creator, abi]) });
    }
    versionsOf(address) {
        const name = toHex(address);
        const known = this.cache.get(name);
        if (known !== undefined)
            return known;
        if (this.cache.size >= CACHE_MAX) {
            // What waits is in the cache only.
            this.flush();
            this.cache.clear();
        }
        const list = [];
        for (const { key, value } of this.versions.getRange({ start: Buffer.from(address) })) {
            const row = Buffer.from(key);
            if (row.length !== address.length + 12 || !row.subarray(0, address.length).equals(address))
                break;
            const [length = 0] = value;
            list.push({
                number: Number(row.readBigUInt64BE(address.length)),
                index: row.readUInt32BE(address.length + 8),
                creator: Uint8Array.from(value.subarray(1, 1 + length)),
                events: eventsOf(Uint8Array.from(value.subarray(1 + length))),
            });
        }
        this.cache.set(name, list);
        return list;
    }
    /** For a contract that another contract made in a block whose internal transactions are no longer kept. */
    creatorInState(address) {
        const row = this.ledger.head.get(CONTRACT, address);
        return row === undefined ? EMPTY_BYTES : SmartContract.decode(row).originAddress;
    }
}
/** Contracts that a block made, and ABIs that it cleared, in the order of its transactions. */
export function changesOf({ number, transactions }) {
    return transactions.flatMap((transaction, index) => {
        const made = madeBy(transaction).map(({ address, ...facts }) => ({
            address: toHex(address),
            number,
            index,
            ...facts,
        }));
        const cleared = clearedBy(transaction);
        if (cleared === undefined)
            return made;
        return [...made, { address: toHex(cleared), number, index, creator: undefined, abi: EMPTY_BYTES }];
    });
}
/** As `ContractBook.factsAt`, with changes of one contract in blocks that are not in the book, ascending. */
export function factsOf(book, address, changes, place) {
    const known = book.factsAt(address, place);
    const creator = changes.findLast((change) => change.creator !== undefined && compare(change, place) <= 0)?.creator;
    const before = changes.findLast((change) => compare(change, place) < 0);
    return { creator: creator ?? known.creator, events: before === undefined ? known.events : eventsOf(before.abi) };
}
function madeBy({ message, info, internal }) {
    const contract = message.rawData?.contract[0];
    if (contract === undefined || info === undefined || !isSuccess(message.ret[0]?.contractRet))
        return [];
    const made = [];
    if (contract.type === ContractType.CreateSmartContract) {
        const { ownerAddress, newContract } = decodeParameter(contract);
        const abi = newContract?.abi === undefined ? EMPTY_BYTES : SmartContractABI.encode(newContract.abi);
        made.push({ address: info.contractAddress, creator: ownerAddress, abi });
    }
    for (const { note, rejected, transferToAddress, callerAddress } of internal) {
        if (rejected || toUtf8(note) !== 'create')
            continue;
        made.push({ address: transferToAddress, creator: callerAddress, abi: EMPTY_BYTES });
    }
    return made;
}
function clearedBy({ message }) {
    const contract = message.rawData?.contract[0];
    if (contract?.type !== ContractType.ClearABIContract || !isSuccess(message.ret[0]?.contractRet))
        return undefined;
    return decodeParameter(contract)?.contractAddress;
}
/** Contracts that no program runs in may carry no result word, or the default one. */
function isSuccess(result) {
    return result === undefined || result === ContractResult.SUCCESS || result === ContractResult.DEFAULT;
}
function eventsOf(abi) {
    return abi.length === 0 ? NO_EVENTS : eventsOfAbi(SmartContractABI.decode(abi));
}
function compare(a, b) {
    return a.number - b.number || a.index - b.index;
}
//# sourceMappingURL=contract-book.js.map