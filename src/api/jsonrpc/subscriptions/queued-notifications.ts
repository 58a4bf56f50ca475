import type { Subscription } from 'rxjs';
import type { Transaction } from '../../../codec/generated/messages.js';
import { toHex } from '../../../primitives/bytes.js';
import type { DecodedTransaction } from '../../../state-transition/transaction.js';
import { decodeTransaction } from '../../../state-transition/transactions/decode-transaction.js';
import { pendingText } from '../block-results.js';
import { printContext, type RpcContext } from '../methods/rpc-context.js';

/** Sends the result of a notification, as JSON text. */
type Send = (result: string) => void;

/** Sends one notification for each new pending transaction. */
export class QueuedNotifications {
  private readonly context: RpcContext;
  private readonly listeners = new Map<Send, boolean>();
  private readonly ids = new WeakMap<Transaction, DecodedTransaction>();
  private known: ReadonlySet<string> = new Set();
  private changes: Subscription | undefined;

  constructor(context: RpcContext) {
    this.context = context;
  }

  /**
   * Starts sending notifications.
   * @param isWhole true to send whole transactions instead of ids
   * @returns a function that ends the subscription
   */
  listen(isWhole: boolean, send: Send): () => void {
    if (this.changes === undefined) {
      this.known = new Set(this.decoded().map(({ idHex }) => idHex));
      this.changes = this.context.api.pending.changes.subscribe(() => this.check());
    }
    this.listeners.set(send, isWhole);
    return () => {
      this.listeners.delete(send);
      if (this.listeners.size > 0) return;
      this.changes?.unsubscribe();
      this.changes = undefined;
    };
  }

  private check(): void {
    const pending = this.decoded();
    const before = this.known;
    this.known = new Set(pending.map(({ idHex }) => idHex));
    for (const transaction of pending) {
      if (before.has(transaction.idHex)) continue;
      const whole = () => pendingText(transaction, printContext(this.context)).text;
      for (const [send, isWhole] of [...this.listeners]) send(isWhole ? whole() : `"0x${toHex(transaction.id)}"`);
    }
  }

  private decoded(): DecodedTransaction[] {
    return this.context.api.pending.all().map((message) => {
      const known = this.ids.get(message);
      if (known !== undefined) return known;
      const decoded = decodeTransaction(message);
      this.ids.set(message, decoded);
      return decoded;
    });
  }
}
