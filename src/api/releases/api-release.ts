import type { JsonRelease } from '../../encoding/json/json-release.js';
import type { RpcLimits } from './rpc-limits.js';

/**
 * Behaviour of the interfaces that depends on the emulated java-tron release. The rules of the chain that depend on the
 * release are in `src/state-transition/releases`.
 */
export interface ApiRelease extends JsonRelease {
  /** Name of the release in the configuration. */
  readonly name: string;
  /** Version number that `getnodeinfo` shows. Reference: Version.VERSION_CODE. */
  readonly versionNumber: string;
  /** True if a body with form parameters is read as a JSON object. Reference: PostParams, Util.getJsonString */
  readonly readsForms: boolean;
  /**
   * True if an absent number in a query is read as 0, for example `num` of `getblockbynum`. False if an absent number
   * is an error. Reference: GetBlockByNumServlet
   */
  readonly absentNumbersAreZero: boolean;
  /**
   * True if `getavailableunfreezecount` accepts the parameter `owner_address`. Reference:
   * GetAvailableUnfreezeCountServlet
   */
  readonly takesOwnerAddress: boolean;
  /**
   * True if the Content-Type determines whether an address is read from the query or from the body.
   * Reference: Util.checkGetParam
   */
  readonly addressByType: boolean;
  /**
   * True if responses with prices are printed as a message of the protobuf schema. Reference: GetEnergyPricesServlet
   * and similar servlets
   */
  readonly pricesAreMessage: boolean;
  /**
   * Default of `node.http.maxMessageSize`, the maximum size of an HTTP body in bytes. Larger bodies are rejected before
   * any handler runs. Undefined if the release has no such limit.
   */
  readonly bodyBytesMax: number | undefined;
  /** True if queries may contain `int64_as_string`. Reference: RateLimiterServlet.service */
  readonly quotesInt64: boolean;
  /** True if a GET request with a malformed query gets an empty response body. Reference: RateLimiterServlet.service */
  readonly readsQueryFirst: boolean;
  /**
   * True if the configuration can disable the ports of gRPC and PBFT, and can limit the number of calls that a
   * connection resets.
   */
  readonly switchesPorts: boolean;
  /** True if `vm.constantCallTimeoutMs` can set a time limit for constant calls. */
  readonly timesConstantCalls: boolean;
  /**
   * True if JSON-RPC filters receive the blocks of a new branch after a reorg.
   * Reference: Manager.reApplyBlockEvents
   */
  readonly reportsReapplied: boolean;
  /**
   * True if the metrics include the number of transactions per block, and changes of the set of active witnesses.
   * Requests are then counted by the path of their handler. Reference: HttpInterceptor
   */
  readonly hasLaterMetrics: boolean;
  /** True if the node stops at startup when a port cannot be opened. Reference: TronError */
  readonly stopsWithoutPort: boolean;
  /** Rules of the rate limits. Reference: RateLimiterServlet, RateLimiterInterceptor */
  readonly admission: RateLimitRules;
  /** Rules by which java-tron's gRPC library responds to invalid calls. Reference: grpc-java 1.14, 1.81 */
  readonly grpc: GrpcFaultRules;
  /**
   * True if the number and size of signatures are limited. The list of signers then requires signatures that match the
   * permission. Reference: Wallet.getTransactionApprovedList
   */
  readonly checksSignatures: boolean;
  /**
   * True if the error for a broadcast transaction that is too large contains its size. Reference:
   * Wallet.broadcastTransaction
   */
  readonly namesSizes: boolean;
  /** True if JSON-RPC arguments are checked before they are decoded. Reference: JsonRpcApiUtil */
  readonly checksRpcArguments: boolean;
  /** True if JSON-RPC calls may have their data in the member `input`. Reference: CallArguments.resolveData */
  readonly readsInput: boolean;
  /** True if logs over JSON-RPC include the block time. */
  readonly timesLogs: boolean;
  /** True if java-tron has the method `eth_getBlockReceipts`. */
  readonly hasBlockReceipts: boolean;
  /** True if the JSON-RPC error of a reverted call contains the return data. */
  readonly showsRevertData: boolean;
  /** Default limits of JSON-RPC requests and responses. */
  readonly rpcLimits: RpcLimits;
  /**
   * True if java-tron itself rejects invalid JSON-RPC requests and processes the calls of a batch. If false,
   * java-tron's library jsonrpc4j does both. Reference: JsonRpcServlet
   */
  readonly ownRpcEnvelope: boolean;
  /**
   * True if the JSON-RPC tag `finalized` is accepted and `safe` is rejected. Reference: JsonRpcApiUtil.parseBlockTag
   */
  readonly knowsFinalityTags: boolean;
  /** Value of the member `nonce` of all transactions in JSON-RPC. */
  readonly transactionNonce: string;
  /** Java version that `web3_clientVersion` reports. */
  readonly javaVersion: string;
  /** True if the shielded APIs are enabled by default. */
  readonly shieldedByDefault: boolean;
  /**
   * True if proposal 39 of the committee also enables the APIs of shielded contracts. Since 4.8.2, only the
   * configuration enables them.
   */
  readonly committeeOpensShielded: boolean;
  /**
   * True if triggers (events for subscribers) of blocks and transactions mark reverted blocks. If true, the triggers
   * of a reapplied block are sent again, and triggers of stake transactions contain sender and receiver.
   * Reference: BlockLogTrigger, TransactionLogTriggerCapsule
   */
  readonly laterTriggers: boolean;
  /**
   * True if there is an event service that creates the events of blocks after their execution, starting at a configured
   * height. Only the configuration file then enables events, and the node does not start without the plugin. Reference:
   * EventService, EventConfig
   */
  readonly hasEventService: boolean;
  /**
   * True if all ports and gRPC have the queries for prices, and for pages of witness candidates with the votes of the
   * current period.
   */
  readonly hasLaterQueries: boolean;
  /**
   * True if the format of a broadcast transaction is checked only after the transaction is in the mempool. Reference:
   * Wallet.broadcastTransaction
   */
  readonly checksBroadcastLast: boolean;
  /** True if meters can be sent to InfluxDB. */
  readonly hasInflux: boolean;
  /** True if the configuration key `node.rpc.reflectionService` exists. */
  readonly hasReflection: boolean;
  /** Text of a gRPC failure for which java-tron sets no text. */
  readonly grpcUnknownText: string;
  /**
   * True if scans of shielded contracts reject requests with event signatures. Reference: Util.rejectIfEventsPresent
   */
  readonly refusesScanEvents: boolean;
  /**
   * True if the record of a burn has a nonce that is derived from the nullifier of the spent note.
   * Reference: NoteEncryption.deriveBurnNonce
   */
  readonly bindsBurns: boolean;
  /**
   * True if notes of shielded contracts must contain an address. If true, a scaling factor of 0 also has a separate
   * error text. Reference: Wallet.checkShieldedTRC20NoteValue
   */
  readonly checksNotes: boolean;
  /** Error text of disabled shielded APIs. Reference: Wallet.SHIELDED_ID_NOT_ALLOWED */
  readonly shieldedRefusal: string;
}

/** Differences between the gRPC libraries of the releases. */
export interface GrpcFaultRules {
  /**
   * True if the reply to an invalid call contains the reason. If false, most invalid calls are dropped without a reply.
   */
  readonly reportsFaults: boolean;
}

/** Differences between the rate limits of the releases. */
export interface RateLimitRules {
  /**
   * True if the limits are checked in this order: interface, address, all calls. If one limit rejects a call, the call
   * uses no permits of the limits after it.
   */
  readonly interfaceFirst: boolean;
  /** Default rate of the strategy QpsRateLimiterAdapter. If undefined, a limit without a rate is invalid. */
  readonly fallbackQps: number | undefined;
  /** True if the configuration keys `rate.limiter.global.api.qps` and `rate.limiter.apiNonBlocking` exist. */
  readonly hasLaterKeys: boolean;
  /**
   * True if an invalid rate limit in the configuration stops the node at startup. Only releases with this rule accept
   * the name of java-tron's default strategy, `DefaultBaseQqsAdapter`, in the configuration.
   */
  readonly stopsAtBadLimits: boolean;
}
