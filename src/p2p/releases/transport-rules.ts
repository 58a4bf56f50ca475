/** What the connection layer takes from the release: the version of libp2p that comes with it. */
export interface TransportRules {
  /** The last message of a connection says why it ends. Reference: P2pDisconnectMessage */
  readonly saysGoodbye: boolean;
  /**
   * Who dialled answers a HELLO that it does not take with one of its own.
   * Reference: HandshakeService.processMessage
   */
  readonly diallerRefuses: boolean;
  /**
   * HELLO tells when the dialling side began, in both directions, instead of the time of each.
   * Reference: HelloMessage
   */
  readonly tellsStart: boolean;
  /** Bytes from which on a message is too big once it is decompressed. Reference: ProtoUtil.uncompressMessage */
  readonly messageBytesMax: number;
  /**
   * Of the nodes that can be dialled so many of the newest are taken, by chance, where so many are wanted.
   * Reference: ConnPoolService.getNodes
   */
  readonly candidatesFor: ((wanted: number) => number) | undefined;
  /**
   * When all places are taken the connection layer parts from a peer by chance.
   * Reference: P2pConfig.disconnectionPolicyEnable
   */
  readonly partsByChance: boolean;
  /**
   * Questions for neighbours in a row without answer after which a node leaves the table; undefined: any number.
   * Reference: NodeHandler
   */
  readonly unansweredMax: number | undefined;
  /**
   * Addresses of nodes are matched to their end, and what is no IPv6 address is as if absent, instead of a reason to
   * drop the message.
   * Reference: NetUtil.validIpV4, Node.formatHostV6
   */
  readonly matchesWhole: boolean;
}

/** libp2p 1.2.0. */
export const libp2p120: TransportRules = {
  saysGoodbye: false,
  diallerRefuses: true,
  tellsStart: false,
  /**
   * The reference has no bound; twice a frame is more than any of its messages that has to fit a frame when it does not
   * shrink, and keeps a frame of repetitions from becoming 100 MB.
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
