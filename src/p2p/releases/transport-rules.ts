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
   * A HELLO contains the start time of the side that dialled, in both directions. Otherwise it contains its own sending
   * time. Reference: HelloMessage
   */
  readonly tellsStart: boolean;
  /** Size from which a decompressed message is rejected, in bytes. Reference: ProtoUtil.uncompressMessage */
  readonly messageBytesMax: number;
  /**
   * Returns the size of the pool (the newest dialable nodes) from which N nodes to connect to are drawn at random.
   * Reference: ConnPoolService.getNodes
   */
  readonly candidatesFor: ((wanted: number) => number) | undefined;
  /**
   * If all connections are in use, the connection layer closes a random one.
   * Reference: P2pConfig.disconnectionPolicyEnable
   */
  readonly partsByChance: boolean;
  /**
   * Number of consecutive unanswered findNode requests after which a node is removed from the table; undefined: never.
   * Reference: NodeHandler
   */
  readonly unansweredMax: number | undefined;
  /**
   * An address pattern must match the whole address text. An invalid IPv6 address is then ignored, and the message is
   * not dropped. Reference: NetUtil.validIpV4, Node.formatHostV6
   */
  readonly matchesWhole: boolean;
}

/** libp2p 1.2.0. */
export const libp2p120: TransportRules = {
  saysGoodbye: false,
  diallerRefuses: true,
  tellsStart: false,
  /**
   * Twice the frame limit. It accepts every valid message, because an incompressible message must fit into a frame. It
   * prevents that a frame of repeated bytes expands to 100 MB. The reference has no limit.
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
