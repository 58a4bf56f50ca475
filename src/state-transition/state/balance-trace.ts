import { type TransactionBalanceTrace, TransactionBalanceTraceOperation } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';

/**
 * Balance changes of the transactions of one block, in the order in which balances were stored. Also the final balance
 * of each account whose balance the block changed. Reference: AccountStore.put with `storage.balance.history.lookup`.
 */
export class BalanceTrace {
  /** Transactions of the block that changed a balance, in their order in the block. */
  readonly transactions: TransactionBalanceTrace[] = [];
  /** Balance changes of the current transaction; undefined while no transaction is executed. */
  operations: TransactionBalanceTraceOperation[] | undefined = undefined;
  /** Final balance of each account whose balance the block changed. */
  readonly balances = new Map<Address, bigint>();
  private readonly known = new Map<Address, bigint>();

  watch(address: Address, balance: bigint): void {
    if (!this.known.has(address)) this.known.set(address, balance);
  }

  saved(address: Address, balance: bigint): void {
    this.note(address, balance - (this.known.get(address) ?? 0n), balance);
  }

  deleted(address: Address, balance: bigint): void {
    this.record(address, -balance);
    this.balances.set(address, 0n);
    this.known.set(address, 0n);
  }

  /**
   * Starts the list of balance changes of the next transaction. Clears the balances known from earlier transactions.
   */
  begin(): void {
    this.operations = [];
    this.known.clear();
  }

  private note(address: Address, amount: bigint, balance: bigint): void {
    this.known.set(address, balance);
    if (amount === 0n) return;
    this.record(address, amount);
    this.balances.set(address, balance);
  }

  private record(address: Address, amount: bigint): void {
    if (this.operations === undefined) return;
    const operation = new TransactionBalanceTraceOperation();
    operation.operationIdentifier = BigInt(this.operations.length);
    operation.address = addressBytes(address);
    operation.amount = amount;
    this.operations.push(operation);
  }
}
