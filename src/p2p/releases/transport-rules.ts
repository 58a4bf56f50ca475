/** Rules of the connection layer that depend on the libp2p version of the release. */
export interface TransportRules {
  /** Sends the close reason as the last message. Reference: P2pDisconnectMessage */
  readonly saysGoodbye: boolean;
  /**
   * The dialling side answers a rejected HELLO with its own HELLO.
   * Reference: HandshakeService.processMessage
   */
  readonly diallerRefuses: boolean;
  /**
   * HELLO contains the start time of the dialling side in both directions, instead of the sending time.
   * Reference: HelloMessage
   */
  readonly tellsStart: boolean;
  /** Size from which a decompressed message is rejected, in bytes. Reference: ProtoUtil.uncompressMessage */
  readonly messageBytesMax: number;
  /**
   * Returns how many of the newest dialable nodes are drawn at random for N wanted connections.
   * Reference: ConnPoolService.getNodes
   */
  readonly candidatesFor: ((wanted: number) => number) | undefined;
  /**
   * The connection layer closes a random connection when all are in use.
   * Reference: P2pConfig.disconnectionPolicyEnable
   */
  readonly partsByChance: boolean;
  /**
   * Number of consecutive unanswered findNode requests after which a node is removed from the table; undefined: never.
   * Reference: NodeHandler
   */
  readonly unansweredMax: number | undefined;
  /**
   * Matches node addresses completely. An invalid IPv6 address counts as absent, instead of a reason to drop the
   * message. Reference: NetUtil.validIpV4, Node.formatHostV6
   */
  readonly matchesWhole: boolean;
}

/** libp2p 1.2.0. */
export const libp2p120: TransportRules = {
  saysGoodbye: false,
  diallerRefuses: true,
  tellsStart: false,
  /**
   * The reference has no limit. Twice the frame limit exceeds every message, because an incompressible message must fit
   * into a frame. It keeps a frame of repetitions from expanding to 100 MB.
   */
  messageBytesMax: 10 * 1024 * 1024,
  candidatesFor: undefined,
  partsByChance: true,
  unansweredMax: undefined,
  matchesWhole: false,
};

/** libp2p 2.2.8. */
export const libp2p228: TransportRules = {
  saysGoodbye: true,
  diallerRefuses: false,
  tellsStart: true,
  messageBytesMax: 5 * 1024 * 1024,
  candidatesFor: (wanted) => Math.max(10 * wanted, 50),
  partsByChance: false,
  unansweredMax: 5,
  matchesWhole: true,
};
