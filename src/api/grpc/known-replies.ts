import type { ChainView } from '../context/api-context.js';
import type { GrpcReply } from './grpc-reply.js';

/** Maximum size of a request whose reply is cached, in bytes. Longer requests are rare and seldom repeated. */
const REQUEST_BYTES_MAX = 256;
/**
 * Maximum size of a cached reply, in bytes. Larger replies are not cached, because a few of them would fill the cache.
 */
const REPLY_BYTES_MAX = 65_536;
/** Maximum size of all cached replies and their keys together, in bytes. */
const ALL_BYTES_MAX = 8 * 2 ** 20;
/** Memory of a cache entry in addition to key and reply, in bytes. */
const ENTRY_BYTES = 200;

type MadeReply = GrpcReply | Promise<GrpcReply>;

/**
 * Cache of replies for one view of the state. Wallets and explorers request the same accounts and blocks repeatedly
 * before the next block arrives. The cache is cleared when the view changes.
 */
export class ReplyCache {
  private view: ChainView | undefined;
  private readonly replies = new Map<string, GrpcReply>();
  private bytes = 0;

  /**
   * Returns the cached reply, or else creates and caches it.
   * @param run creates the reply; failures are not cached
   */
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
