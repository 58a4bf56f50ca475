/** Rules of the connection layer. They depend on the version of TRON's Java library libp2p in a java-tron release. */
export interface TransportRules {
  /** True if the close reason is sent as the last message. Reference: P2pDisconnectMessage */
  readonly saysGoodbye: boolean;
  /**
   * True if a dialling node that rejects a HELLO answers it with its own HELLO. Reference:
   * HandshakeService.processMessage
   */
  readonly diallerRefuses: boolean;
  /**
   * True if both HELLOs of a connection contain the start time of the connection, by the clock of the dialling node.
   * Otherwise each HELLO contains its own sending time. Reference: HelloMessage
   */
  readonly sendsStartTime: boolean;
  /** A decompressed message of at least this size, in bytes, is rejected. Reference: ProtoUtil.uncompressMessage */
  readonly messageBytesMax: number;
  /**
   * Returns M for N free connections: N nodes are drawn at random from the M most recently active dialable nodes.
   * Undefined if the choice is not random. Reference: ConnPoolService.getNodes
   */
  readonly candidatesFor: ((free: number) => number) | undefined;
  /**
   * True if a random incoming connection is closed at intervals while all connections are in use. Reference:
   * P2pConfig.disconnectionPolicyEnable
   */
  readonly evictsAtRandom: boolean;
  /**
   * Number of consecutive unanswered findNode requests after which a node is removed from the table. If undefined,
   * unanswered requests do not remove a node. Reference: NodeHandler
   */
  readonly unansweredMax: number | undefined;
  /**
   * True if an address pattern must match the whole text of an address. The decoder then removes an invalid IPv6
   * address, and processes the rest of the message. If false, the decoder drops the message. Reference:
   * NetUtil.validIpV4, Node.formatHostV6
   */
  readonly matchesWhole: boolean;
}

/** Rules of TRON's Java library libp2p 1.2.0, which java-tron 4.7.2 uses. */
export const libp2p120: TransportRules = {
  saysGoodbye: false,
  diallerRefuses: true,
  sendsStartTime: false,
  /**
   * Twice the frame limit. Every valid message is accepted, because even an incompressible message must fit into a
   * frame. A compressed frame that expands to 100 MB is rejected. java-tron has no limit.
   */
  messageBytesMax: 10 * 1024 * 1024,
  candidatesFor: undefined,
  evictsAtRandom: true,
  unansweredMax: undefined,
  matchesWhole: false,
};

/** Rules of TRON's Java library libp2p 2.2.8, which java-tron 4.8.2 uses. */
export const libp2p228: TransportRules = {
  saysGoodbye: true,
  diallerRefuses: false,
  sendsStartTime: true,
  messageBytesMax: 5 * 1024 * 1024,
  candidatesFor: (free) => Math.max(10 * free, 50),
  evictsAtRandom: false,
  unansweredMax: 5,
  matchesWhole: true,
};
