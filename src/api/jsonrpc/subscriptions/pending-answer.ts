/** Maximum number of waiting notifications. The memory limits of a socket do not count them. */
const WAITING_MAX = 1_000;

/**
 * The answer to a batch that is not sent yet. A call after `eth_subscribe` in the same batch may take long, and clients
 * ignore notifications of a subscription whose id they do not know. Therefore the notifications are sent after the
 * answer.
 */
export class PendingAnswer {
  private waiting: (() => void)[] | undefined = [];

  /** Runs `send` after the answer; at once if the answer is already sent, or if too many notifications wait for it. */
  after(send: () => void): void {
    if (this.waiting === undefined) {
      send();
      return;
    }
    this.waiting.push(send);
    if (this.waiting.length >= WAITING_MAX) this.sent();
  }

  /** Must be called after the answer is sent. Sends the waiting notifications. */
  sent(): void {
    const { waiting = [] } = this;
    this.waiting = undefined;
    for (const send of waiting) send();
  }
}
