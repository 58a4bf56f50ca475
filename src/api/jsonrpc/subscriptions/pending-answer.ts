/**
 * The answer to a batch that is not sent yet. A call after `eth_subscribe` in the same batch may take long, and clients
 * ignore notifications of a subscription whose id they do not know. Therefore the notifications are sent after the
 * answer.
 */
export class PendingAnswer {
  private held: (() => void)[] | undefined = [];

  /** Runs `send` after the answer; at once if the answer is already sent. */
  after(send: () => void): void {
    if (this.held === undefined) send();
    else this.held.push(send);
  }

  /** Must be called once, after the answer is sent. */
  sent(): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const send of held) send();
  }
}
