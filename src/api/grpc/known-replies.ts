import type { ChainView } from '../context/api-context.js';
import type { GrpcReply } from './grpc-reply.js';

/** Longer requests are rare, and each is another. */
const REQUEST_BYTES_MAX = 256;
/** Longer replies take their time in being sent; a few of them would take the place of all others. */
const REPLY_BYTES_MAX = 65_536;
/** Replies and their keys of one view: the accounts and blocks that everybody asks for between two blocks. */
const ALL_BYTES_MAX = 8 * 2 ** 20;
/** Beside its bytes, what a reply takes here. */
const ENTRY_BYTES = 200;

type MadeReply = GrpcReply | Promise<GrpcReply>;

/**
 * Replies to questions of one view. Wallets and explorers ask for the same accounts and blocks between two blocks over
 * and over: as long as nothing in the view has changed, the bytes are those that were sent before.
 */
export class ReplyCache {
  private view: ChainView | undefined;
  private readonly replies = new Map<string, GrpcReply>();
  private bytes = 0;

  /** @param run makes the reply when it is not known; a refusal is made again each time */
  find(view: ChainView, name: string, request: Uint8Array, run: () => MadeReply): MadeReply {
    if (request.length > REQUEST_BYTES_MAX) return run();
    if (view !== this.view) this.begin(view);
    const key = `${name} ${Buffer.from(request.buffer, request.byteOffset, request.length).toString('latin1')}`;
    const known = this.replies.get(key);
    if (known !== undefined) return known;
    const reply = run();
    if (!(reply instanceof Promise) && reply.status === 0 && reply.bytes.length <= REPLY_BYTES_MAX) {
      this.keep(key, reply);
    }
    return reply;
  }

  private keep(key: string, reply: GrpcReply): void {
    const size = ENTRY_BYTES + key.length + reply.bytes.length;
    if (this.bytes + size > ALL_BYTES_MAX) this.begin(this.view);
    this.replies.set(key, reply);
    this.bytes += size;
  }

  private begin(view: ChainView | undefined): void {
    this.view = view;
    this.bytes = 0;
    this.replies.clear();
  }
}
