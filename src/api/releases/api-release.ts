import type { JsonRelease } from '../../encoding/json/json-release.js';
import type { RpcLimits } from './rpc-limits.js';

/**
 * Behaviour of the interfaces that depends on the emulated java-tron release. Rules of the chain are in
 * `src/state-transition/releases`.
 */
export interface ApiRelease extends JsonRelease {
  /** Name of the release in the configuration. */
  readonly name: string;
  /** Version number that `getnodeinfo` shows. Reference: Version.VERSION_CODE. */
  readonly versionNumber: string;
  /** True to read a form body as an object of its parameters. Reference: PostParams, Util.getJsonString */
  readonly readsForms: boolean;
  /** True to read an absent query number as 0 if it is the only argument. Reference: GetBlockByNumServlet */
  readonly absentNumbersAreZero: boolean;
  /** True to accept `owner_address` for the count of unstakings. Reference: GetAvailableUnfreezeCountServlet */
  readonly takesOwnerAddress: boolean;
  /** True to look for an address in the query or body depending on the Content-Type. Reference: Util.checkGetParam */
  readonly addressByType: boolean;
  /** True to print prices as a message. Reference: GetEnergyPricesServlet and similar servlets */
  readonly pricesAreMessage: boolean;
  /**
   * Default of `node.http.maxMessageSize`, the maximum size of an HTTP body in bytes. Larger bodies are refused before
   * any handler runs. Undefined: no limit.
   */
  readonly bodyBytesMax: number | undefined;
  /** True to support `int64_as_string` in queries. Reference: RateLimiterServlet.service */
  readonly quotesInt64: boolean;
  /** True to answer a GET with an invalid query with an empty body. Reference: RateLimiterServlet.service */
  readonly readsQueryFirst: boolean;
  /** True if gRPC and PBFT ports can be disabled, and connections with too many reset calls are closed. */
  readonly switchesPorts: boolean;
  /** True if the configuration can set a time limit for constant calls. `vm.constantCallTimeoutMs` */
  readonly timesConstantCalls: boolean;
  /**
   * True if JSON-RPC filters receive the blocks of a new branch after a reorg.
   * Reference: Manager.reApplyBlockEvents
   */
  readonly tellsRejoined: boolean;
  /**
   * True to export metrics of transactions per block and of witnesses, and to count requests by handler path.
   * Reference: HttpInterceptor
   */
  readonly hasLaterMetrics: boolean;
  /** True to stop at startup if a port cannot be opened. Reference: TronError */
  readonly stopsWithoutPort: boolean;
  /** Rules of the rate limits. Reference: RateLimiterServlet, RateLimiterInterceptor */
  readonly admission: RateLimitRules;
  /** Reaction of java-tron's gRPC library to invalid calls. Reference: grpc-java 1.14, 1.81 */
  readonly grpc: GrpcFaultRules;
  /**
   * True to limit the number and size of signatures, and to check their weight when they are listed.
   * Reference: Wallet.getTransactionApprovedList
   */
  readonly checksSignatures: boolean;
  /** True to report the size of a too large broadcast. Reference: Wallet.broadcastTransaction */
  readonly namesSizes: boolean;
  /** True to check JSON-RPC arguments before they are decoded. Reference: JsonRpcApiUtil */
  readonly checksRpcArguments: boolean;
  /** True to accept call data in `input` over JSON-RPC. Reference: CallArguments.resolveData */
  readonly readsInput: boolean;
  /** True to add the block time to logs over JSON-RPC. */
  readonly timesLogs: boolean;
  /** True to support `eth_getBlockReceipts`. */
  readonly hasBlockReceipts: boolean;
  /** True to add the return data to the JSON-RPC error of a reverted call. */
  readonly showsRevertData: boolean;
  /** Default limits of JSON-RPC. */
  readonly rpcLimits: RpcLimits;
  /**
   * True if JSON-RPC answers invalid requests itself, and answers the members of a batch one by one.
   * Reference: JsonRpcServlet
   */
  readonly ownRpcEnvelope: boolean;
  /** True to support the JSON-RPC tag `finalized`, and to refuse `safe`. Reference: JsonRpcApiUtil.parseBlockTag */
  readonly knowsFinalityTags: boolean;
  /** `nonce` of all transactions in JSON-RPC. */
  readonly transactionNonce: string;
  /** Java version in `web3_clientVersion`. */
  readonly javaVersion: string;
  /** Default of the switch for shielded interfaces. */
  readonly shieldedByDefault: boolean;
  /**
   * True if proposal 39 of the committee also enables the interfaces of shielded contracts. In later releases only the
   * configuration does.
   */
  readonly committeeOpensShielded: boolean;
  /**
   * True if triggers of blocks and transactions mark reverted blocks, and are sent again when a block is reapplied.
   * Triggers of transactions with stake contracts then also name sender and receiver.
   * Reference: BlockLogTrigger, TransactionLogTriggerCapsule
   */
  readonly laterTriggers: boolean;
  /**
   * True if an event service can create events after a block was executed, from a configured start height on. Only the
   * configuration file enables events, and a plugin that cannot be loaded stops the start.
   * Reference: EventService, EventConfig
   */
  readonly hasEventService: boolean;
  /** True to serve prices over gRPC and on all ports, and pages of candidates with the votes of the current period. */
  readonly hasLaterQueries: boolean;
  /**
   * True to check the format of a broadcast transaction only after it was added to the mempool.
   * Reference: Wallet.broadcastTransaction
   */
  readonly checksBroadcastLast: boolean;
  /** True if meters can be sent to InfluxDB. */
  readonly hasInflux: boolean;
  /** True if `node.rpc.reflectionService` is a known key. */
  readonly hasReflection: boolean;
  /** Text of a gRPC failure without a text of its own. */
  readonly grpcUnknownText: string;
  /** True to refuse event signatures in scans of shielded contracts. Reference: Util.rejectIfEventsPresent */
  readonly refusesScanEvents: boolean;
  /**
   * True if a burn of a shielded contract has a nonce bound to its nullifier.
   * Reference: NoteEncryption.deriveBurnNonce
   */
  readonly bindsBurns: boolean;
  /**
   * True if notes of shielded contracts must contain an address, and amounts are scaled.
   * Reference: Wallet.checkShieldedTRC20NoteValue
   */
  readonly checksNotes: boolean;
  /** Error text of disabled shielded interfaces. Reference: Wallet.SHIELDED_ID_NOT_ALLOWED */
  readonly shieldedRefusal: string;
}

/** Differences between the gRPC libraries of the releases. */
export interface GrpcFaultRules {
  /** True to answer invalid calls with the reason; false to drop most of them. */
  readonly tellsFaults: boolean;
}

/** Differences between the rate limits of the releases. */
export interface RateLimitRules {
  /**
   * True to check the limit of the interface first, then those of the address and of all calls. A call that the first
   * limit refuses then does not count for the others.
   */
  readonly interfaceFirst: boolean;
  /** Default rate of QpsRateLimiterAdapter; undefined: a limit without a rate is invalid. */
  readonly fallbackQps: number | undefined;
  /** True if `rate.limiter.global.api.qps` and `rate.limiter.apiNonBlocking` are known keys. */
  readonly hasLaterKeys: boolean;
  /** True to stop at startup on an invalid limit, and to accept the name of the default strategy. */
  readonly stopsAtBadLimits: boolean;
}
