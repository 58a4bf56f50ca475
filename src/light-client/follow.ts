import { noise } from '@libp2p/noise';
import { webSockets } from '@libp2p/websockets';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import type { EventLine, FollowLine, FollowRequest } from '../api/follow/follow-lines.js';
import { type CheckedHeader, LightChain } from './light-chain.js';

const PROTOCOL = '/tronicle/follow/1';
/**
 * Maximum number of queued events of blocks that this client has not yet counted as solidified. If the node sends more
 * events, the connection ends with an error.
 */
const UNSOLIDIFIED_MAX = 10_000;

interface FollowEvents {
  applied(header: CheckedHeader): void;
  reverted(header: CheckedHeader): void;
  /**
   * Called for an event of a solidified block. The header of the block was verified locally, and its solidification was
   * counted locally.
   */
  event(event: EventLine): void;
  /** Called when following ends. @param error reason of the end; undefined after {@link Following.stop} */
  ended(error?: Error): void;
}

export interface Following {
  readonly chain: LightChain;
  stop(): void;
}

/**
 * Follows a node over an encrypted WebSocket.
 * @param address multiaddr with the id of the node
 * @throws {Error} the node is not reachable
 */
export async function follow(address: string, request: FollowRequest, events: FollowEvents): Promise<Following> {
  const host = await createLibp2p({
    transports: [webSockets()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    // The connection is encrypted, so addresses without a certificate are allowed, such as the address of a local node.
    connectionGater: { denyDialMultiaddr: () => false },
  });
  const chain = new LightChain();
  const follower = new LineReader(chain, events);
  try {
    const stream = await host.dialProtocol(multiaddr(address), PROTOCOL);
    const end = (error?: Error): void => {
      if (follower.isEnded) return;
      follower.isEnded = true;
      void host.stop();
      events.ended(error);
    };
    stream.addEventListener('message', ({ data }) => {
      if (follower.isEnded) return;
      try {
        follower.read(data.subarray());
      } catch (error) {
        end(error as Error);
      }
    });
    stream.addEventListener('close', ({ error }) => end(error ?? new Error('the node closed the connection')));
    stream.send(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    return { chain, stop: () => end() };
  } catch (error) {
    void host.stop();
    throw error;
  }
}

/** Decodes the JSON lines that the node sends, and verifies the headers and events in them. */
class LineReader {
  isEnded = false;
  private readonly chain: LightChain;
  private readonly events: FollowEvents;
  private readonly decoder = new TextDecoder();
  private unsolidified: EventLine[] = [];
  private buffered = '';

  constructor(chain: LightChain, events: FollowEvents) {
    this.chain = chain;
    this.events = events;
  }

  /** Decodes received bytes and verifies their content. @throws {HeaderError | Error} the node has sent invalid data */
  read(bytes: Uint8Array): void {
    const lines = (this.buffered + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.buffered = lines.pop() ?? '';
    for (const line of lines) this.take(JSON.parse(line) as FollowLine);
  }

  private take(line: FollowLine): void {
    if (line.type === 'witnesses') this.chain.setWitnesses(line.witnesses);
    else if (line.type === 'header') {
      const raw = fromHex(line.raw);
      if (line.kind === 'REVERTED') this.events.reverted(this.chain.revert(raw));
      else this.events.applied(this.chain.apply(raw, fromHex(line.signature)));
      this.release();
    } else if (line.type === 'event') {
      this.unsolidified.push(line);
      if (this.unsolidified.length > UNSOLIDIFIED_MAX)
        throw new Error('the node sends events of blocks that are not solidified');
      this.release();
    } else throw new Error(`${line.code}: ${line.message}`);
  }

  /** Emits queued events in order, up to the newest solidified block. */
  private release(): void {
    for (let [next] = this.unsolidified; next !== undefined; [next] = this.unsolidified) {
      if (this.chain.isSolidified(next.block) !== true) return;
      this.unsolidified.shift();
      this.events.event(next);
    }
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
