import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { LogTail } from '../graphql/events/log-tail.js';
import { createGraphqlSource, type GraphqlSource, type GraphqlSourceOptions } from '../graphql/graphql-source.js';
import { Follower } from './follower.js';
import { WitnessList } from './witness-list.js';

/**
 * libp2p protocol for browsers that follow the chain. A message is a line of JSON. The client sends one request, then
 * the node sends a stream of messages.
 */
export const FOLLOW_PROTOCOL = '/tronicle/follow/1';
/**
 * Maximum number of followers (light clients). The node stores the position of each follower in the block log, but no
 * unread data.
 */
const FOLLOWERS_MAX = 200;

interface FollowersOptions extends GraphqlSourceOptions {
  readonly log: Logger;
}

/** All connected light clients that follow headers and solidified events. Their connections are encrypted. */
export class Followers {
  private readonly source: GraphqlSource;
  private readonly tail: LogTail;
  private readonly witnesses: WitnessList;
  private readonly log: Logger;
  private readonly links = new Set<Duplex>();

  constructor(options: FollowersOptions) {
    this.source = createGraphqlSource(options);
    this.tail = new LogTail(options.ledger);
    this.witnesses = new WitnessList(this.source);
    this.log = options.log;
  }

  take(link: Duplex): void {
    const { source, tail, witnesses, log, links } = this;
    if (links.size >= FOLLOWERS_MAX) {
      link.destroy();
      return;
    }
    links.add(link);
    link.once('close', () => links.delete(link));
    new Follower({ link, source, tail, witnesses, log }).start();
  }

  async close(): Promise<void> {
    for (const link of this.links) link.destroy();
    await this.tail.close();
  }
}
