import type { JsonRelease } from '../../encoding/json/json-release.js';
import type { RpcLimits } from './rpc-limits.js';

/**
 * What the interfaces take from the release of the reference that this node is. What the chain decides is in
 * `src/state-transition/releases`.
 */
export interface ApiRelease extends JsonRelease {
  /** As the configuration names it. */
  readonly name: string;
  /** Number of the release's last change, which `getnodeinfo` shows. Reference: Version.VERSION_CODE. */
  readonly versionNumber: string;
  /** A form in a body is read as an object of its parameters. Reference: PostParams, Util.getJsonString */
  readonly readsForms: boolean;
  /** A number that a query lacks is 0, where one alone is asked for. Reference: GetBlockByNumServlet and two others */
  readonly absentNumbersAreZero: boolean;
  /** The count of unstakings takes `owner_address` in a query too. Reference: GetAvailableUnfreezeCountServlet */
  readonly takesOwnerAddress: boolean;
  /** The body's type says where an address is looked for. Reference: Util.checkGetParam */
  readonly addressByType: boolean;
  /** Prices are printed as a message. Reference: GetEnergyPricesServlet and its kin */
  readonly pricesAreMessage: boolean;
  /**
   * Bytes of a body over HTTP where the configuration says nothing; undefined: no handler is asked.
   * `node.http.maxMessageSize`
   */
  readonly bodyBytesMax: number | undefined;
  /** `int64_as_string` of a query makes texts of numbers. Reference: RateLimiterServlet.service */
  readonly quotesInt64: boolean;
  /** A query that cannot be read ends a GET before its handler, with nothing. Reference: RateLimiterServlet.service */
  readonly readsQueryFirst: boolean;
  /** Closed interfaces are found by the path of their handler, not as it was sent. Reference: LiteFnQueryHttpFilter */
  readonly filtersByServletPath: boolean;
  /** A whole address for a target may not name a user. Reference: Jetty 9.4.58 */
  readonly refusesUsers: boolean;
  /** Ports of gRPC and of the PBFT state can be switched off, and connections that reset too many calls end. */
  readonly switchesPorts: boolean;
  /** The configuration can give constant calls their time. `vm.constantCallTimeoutMs` */
  readonly timesConstantCalls: boolean;
  /**
   * Filters of JSON-RPC hear of the blocks of a branch that the chain switched to.
   * Reference: Manager.reApplyBlockEvents
   */
  readonly tellsRejoined: boolean;
  /**
   * Metrics of transactions per block and of witnesses; paths in metrics are those of handlers.
   * Reference: HttpInterceptor
   */
  readonly hasLaterMetrics: boolean;
  /** A port that cannot be had ends the start. Reference: TronError */
  readonly stopsWithoutPort: boolean;
  /** How calls are let in. Reference: RateLimiterServlet, RateLimiterInterceptor */
  readonly admission: RateLimitRules;
  /** What the library of gRPC does with calls that break a rule. Reference: grpc-java 1.14, 1.81 */
  readonly grpc: GrpcFaultRules;
  /** What error pages say of the container. */
  readonly jetty: { readonly url: string; readonly version: string };
  /**
   * Signatures are bounded in number and size, and weighed where they are listed.
   * Reference: Wallet.getTransactionApprovedList
   */
  readonly checksSignatures: boolean;
  /** A broadcast that is too big hears its size. Reference: Wallet.broadcastTransaction */
  readonly namesSizes: boolean;
  /** JSON-RPC bounds and checks its arguments before it reads them. Reference: JsonRpcApiUtil */
  readonly checksRpcArguments: boolean;
  /** Calls over JSON-RPC carry their data in `input` too. Reference: CallArguments.resolveData */
  readonly readsInput: boolean;
  /** Logs over JSON-RPC have the time of their block. */
  readonly timesLogs: boolean;
  /** `eth_getBlockReceipts` is a method. */
  readonly hasBlockReceipts: boolean;
  /** The error of a reverted call over JSON-RPC holds what was returned. */
  readonly showsRevertData: boolean;
  /** Bounds of JSON-RPC where the configuration says nothing. */
  readonly rpcLimits: RpcLimits;
  /**
   * JSON-RPC answers requests itself where they are none, and members of a batch one by one.
   * Reference: JsonRpcServlet
   */
  readonly ownRpcEnvelope: boolean;
  /** `finalized` is a tag of JSON-RPC, and `safe` one that is refused. Reference: JsonRpcApiUtil.parseBlockTag */
  readonly knowsFinalityTags: boolean;
  /** `nonce` of transactions in JSON-RPC. */
  readonly transactionNonce: string;
  /** Java's version in `web3_clientVersion`. */
  readonly javaVersion: string;
  /** Shielded interfaces are open where the configuration says nothing. */
  readonly shieldedByDefault: boolean;
  /**
   * The committee opens the interfaces of shielded contracts too (proposal 39); later releases ask the configuration
   * alone.
   */
  readonly committeeOpensShielded: boolean;
  /**
   * Triggers of blocks and transactions say whether their block was taken back, and come again when it is; those of
   * stake contracts name their parties. Reference: BlockLogTrigger, TransactionLogTriggerCapsule
   */
  readonly laterTriggers: boolean;
  /**
   * Events can be made behind the execution of blocks, and from a height on; the file alone switches them on, and a
   * plugin that cannot be had ends the start. Reference: EventService, EventConfig
   */
  readonly hasEventService: boolean;
  /** Prices over gRPC and on all ports, and candidates by pages with the votes of this period. */
  readonly hasLaterQueries: boolean;
  /** The form of a broadcast is looked at behind its push. Reference: Wallet.broadcastTransaction */
  readonly checksBroadcastLast: boolean;
  /** Meters go to InfluxDB where the configuration says so. */
  readonly hasInflux: boolean;
  /** `node.rpc.reflectionService` is a key. */
  readonly hasReflection: boolean;
  /** Text of a gRPC call that ends without one. */
  readonly grpcUnknownText: string;
  /** Scans of shielded contracts ask for the usual events only. Reference: Util.rejectIfEventsPresent */
  readonly refusesScanEvents: boolean;
  /**
   * What is burnt of a shielded contract carries a nonce bound to its nullifier.
   * Reference: NoteEncryption.deriveBurnNonce
   */
  readonly bindsBurns: boolean;
  /**
   * Notes of shielded contracts must name an address, and amounts have a scale.
   * Reference: Wallet.checkShieldedTRC20NoteValue
   */
  readonly checksNotes: boolean;
  /** What shielded interfaces say where the configuration closes them. Reference: Wallet.SHIELDED_ID_NOT_ALLOWED */
  readonly shieldedRefusal: string;
}

/** What the reference's library answers where releases have another one. */
export interface GrpcFaultRules {
  /** It says what is wrong with a message; else it drops most of such calls. */
  readonly tellsFaults: boolean;
}

/** Where releases differ. */
export interface RateLimitRules {
  /**
   * The interface's own limit is asked before those of the address and of all calls, so that what it refuses costs them
   * nothing.
   */
  readonly interfaceFirst: boolean;
  /** Rate of QpsRateLimiterAdapter whose parameters name none; undefined: a bad limit. */
  readonly fallbackQps: number | undefined;
  /** `rate.limiter.global.api.qps` and `rate.limiter.apiNonBlocking` are keys. */
  readonly hasLaterKeys: boolean;
  /** A bad limit of a handler ends the start; the strategy of interfaces without a limit can be named. */
  readonly stopsAtBadLimits: boolean;
}
