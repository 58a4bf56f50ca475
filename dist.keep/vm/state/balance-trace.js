import { TransactionBalanceTraceOperation } from '../../log/codec/generated/messages.js';
import { addressBytes } from '../../log/domain/address.js';
/**
 * Balance changes of one transaction in the order in which balances were stored, and the last balance of every account
 * that a block changed. Reference: AccountStore.put with `storage.balance.history.lookup`.
 */
export class BalanceTrace {
    /** Transactions of the block that changed a balance, in order. */
    transactions = [];
    /** Operations of the transaction under execution; undefined outside of one. */
    operations = undefined;
    /** Balance after the block of each account whose balance it changed. */
    balances = new Map();
    known = new Map();
    watch(address, balance) {
        if (!this.known.has(address))
            this.known.set(address, balance);
    }
    saved(address, balance) {
        this.note(address, balance - (this.known.get(address) ?? 0n), balance);
    }
    deleted(address, balance) {
        this.record(address, -balance);
        this.balances.set(address, 0n);
        this.known.set(address, 0n);
    }
    /** Starts a transaction; what an earlier one left unsaved is forgotten with it. */
    begin() {
        this.operations = [];
        this.known.clear();
    }
    note(address, amount, balance) {
        this.known.set(address, balance);
        if (amount === 0n)
            return;
        this.record(address, amount);
        this.balances.set(address, balance);
    }
    record(address, amount) {
        if (this.operations === undefined)
            return;
        const operation = new TransactionBalanceTraceOperation();
        operation.operationIdentifier = BigInt(this.operations.length);
        operation.address = addressBytes(address);
        operation.amount = amount;
        this.operations.push(operation);
    }
}
//# sourceMappingURL=balance-trace.js.map