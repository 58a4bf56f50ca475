import { noise } from '@libp2p/noise';
import { webSockets } from '@libp2p/websockets';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import type { FollowRequest } from '../api/follow/follow-lines.js';
import { LightChain } from './light-chain.js';
import { type LineEvents, LineReader } from './line-reader.js';

const PROTOCOL = '/tronicle/follow/1';
interface FollowEvents extends LineEvents {
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
