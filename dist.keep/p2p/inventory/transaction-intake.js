import { TransactionContractContractType as ContractType, Transaction } from '../../log/codec/generated/messages.js';
import { P2pError } from '../p2p-error.js';
/** Calls of smart contracts that wait: further ones are dropped. Reference: TransactionsMsgHandler.MAX_TRX_SIZE. */
const WAITING_MAX = 50_000;
/** Others that wait while calls of contracts are let through. Reference: MAX_SMART_CONTRACT_SUBMIT_SIZE. */
const OTHERS_FIRST = 100;
/** ms that the thread is held before others have their turn. */
const SLICE_MS = 10;
const CALLS = new Set([ContractType.TriggerSmartContract, ContractType.CreateSmartContract]);
/** Transactions that peers sent, on their way to the pool. Reference: TransactionsMsgHandler. */
export class TransactionIntake {
    options;
    calls = [];
    others = [];
    isScheduled = false;
    isCallsTurn = false;
    isClosed = false;
    constructor(options) {
        this.options = options;
    }
    /** Too much waits: what is announced is not asked for. */
    get isBusy() {
        return this.calls.length + this.others.length > WAITING_MAX;
    }
    close() {
        this.isClosed = true;
    }
    /** @throws {P2pError} BAD_MESSAGE: one was not asked for; PARSE_MESSAGE_FAILED: one has no contract */
    take(peer, transactions) {
        for (const { idHex } of transactions) {
            if (!peer.itemRequests.delete(idHex))
                throw new P2pError('BAD_MESSAGE', `trx: ${idHex} without request.`);
        }
        for (const transaction of transactions) {
            if (transaction.raw.contract.length === 0)
                throw new P2pError('PARSE_MESSAGE_FAILED', 'Index: 0');
            if (!CALLS.has(transaction.contractType))
                this.others.push({ peer, transaction });
            else if (this.calls.length < WAITING_MAX)
                this.calls.push({ peer, transaction });
        }
        this.schedule();
    }
    schedule() {
        if (this.isScheduled || this.isClosed || this.calls.length + this.others.length === 0)
            return;
        this.isScheduled = true;
        setImmediate(() => this.options.patience.during(() => this.slice()));
    }
    slice() {
        this.isScheduled = false;
        if (this.isClosed)
            return;
        const started = performance.now();
        for (let next = this.next(); next !== undefined; next = this.next()) {
            this.handle(next);
            if (performance.now() - started > SLICE_MS)
                break;
        }
        this.schedule();
    }
    next() {
        if (this.others.length < OTHERS_FIRST && this.calls.length > 0 && this.turn())
            return this.calls.shift();
        return this.others.shift() ?? this.calls.shift();
    }
    /** Calls and others take turns while few others wait. */
    turn() {
        this.isCallsTurn = !this.isCallsTurn;
        return this.isCallsTurn;
    }
    handle({ peer, transaction }) {
        const { chain, advertiser, observer, log } = this.options;
        const { idHex: id } = transaction;
        if (peer.isClosed || advertiser.content({ kind: 'transaction', id }) !== undefined)
            return;
        try {
            chain.takeTransaction(transaction);
            advertiser.announceTransaction(id, Transaction.encode(transaction.message));
        }
        catch (error) {
            if (!(error instanceof P2pError)) {
                log.error({ err: error, id }, 'a transaction of a peer could not be checked');
                return;
            }
            observer.refused(error.code, false);
            log.debug({ peer: peer.channel.key, id, type: error.code, reason: error.message }, 'a transaction is refused');
            if (error.code === 'BAD_TRX')
                peer.disconnect('BAD_TX');
        }
    }
}
//# sourceMappingURL=transaction-intake.js.map