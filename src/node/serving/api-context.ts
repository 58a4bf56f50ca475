import { ANSWER_BYTES_MAX } from '../../api/context/answer-size.js';
import type { ApiContext, ApiSettings, ChainView, PeerLink, ViewName } from '../../api/context/api-context.js';
import type { CallBudget } from '../../api/context/call-budget.js';
import { viewOfLedger } from '../../api/context/ledger-view.js';
import { PastViews } from '../../api/context/past-views.js';
import { createRelay } from '../../api/context/relay.js';
import type { ApiRelease } from '../../api/releases/api-release.js';
import { apiRelease } from '../../api/releases/releases.js';
import type { RpcLimits } from '../../api/releases/rpc-limits.js';
import type { Transaction } from '../../codec/generated/messages.js';
import type { NodeConfig } from '../../config/load-config.js';
import { unsolidifiedMaxOf } from '../../config/unsolidified.js';
import { concurrentOrder, javaHashOfRowKey } from '../../java-compat/hash-map.js';
import { P2pError } from '../../p2p/p2p-error.js';
import { readGossipedTransaction } from '../../p2p/receive/read-messages.js';
import { toHex } from '../../primitives/bytes.js';
import { ChainError, refuse } from '../../state-transition/errors.js';
import { State } from '../../state-transition/state/state.js';
import { contractHandlers } from '../../state-transition/system-contracts/table.js';
import { decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';
import type { ChainSource, PendingTransactions } from './chain-source.js';
import { RecentKeys } from './recent-keys.js';
import { VotedView } from './voted-view.js';

interface ApiContextOptions {
  readonly source: ChainSource;
  readonly config: NodeConfig;
  /** Returns ms since 1970. */
  readonly now: () => number;
  /** Peers of the node; undefined without a network. */
  readonly peers?: PeerLink;
  readonly callBudget?: CallBudget | undefined;
  /** Returns the height of the newest block with a PBFT quorum; undefined without PBFT. */
  readonly votedHeight?: (() => number) | undefined;
}

const NO_PEERS: PeerLink = { active: 0, inSync: 0, broadcast: () => 0 };

/** Creates the data source of HTTP, gRPC and JSON-RPC: views of a chain, its mempool, and the settings of the node. */
export function createApiContext(options: ApiContextOptions): ApiContext {
  const { source, config, now, peers = NO_PEERS, callBudget, votedHeight = () => 0 } = options;
  const { ledger, rules } = source;
  const follows = config.tronicle.source;
  const { control } = config.tronicle.devnet;
  // Only an API thread has a budget for calls. In such a thread, the size of answers is limited too, because the thread
  // serves many clients.
  const answerBytesMax = callBudget && ANSWER_BYTES_MAX;
  const solidified = new SolidifiedView(source, control, answerBytesMax);
  const head = new HeadView(source, solidified, answerBytesMax);
  const past = new PastViews(ledger, rules, answerBytesMax);
  const recent = new PastViews(ledger, rules, answerBytesMax);
  const storedView = (): ChainView => {
    const { number } = solidified;
    // java-tron shows a solidified block only after later blocks have flushed it. A private network with control routes
    // may have no later block, so the solidified state is shown immediately.
    const stored = control ? number : Math.max(source.storedNumber ?? number, ledger.keptHeight);
    return stored < number ? recent.at(stored) : solidified.view();
  };
  const voted = new VotedView({ source, votedHeight, head: () => head.view(), stored: storedView, past: recent });
  const views: Readonly<Record<ViewName, () => ChainView>> = {
    head: () => head.view(),
    // All blocks of a solidity node are solidified. As in java-tron, requests that list rows (`listedView`) also read
    // the state of the head.
    solidified: () => (config.isSolidityNode ? head.view() : storedView()),
    pbft: () => voted.view(),
    'pbft-again': () => voted.again(),
    irreversible: () => solidified.view(),
  };
  const count = (): number => source.pending().length + source.repushed().length;
  return {
    settings: apiSettings(config),
    peers,
    pending: {
      all: () => [...source.pending(), ...source.repushed()].map(({ message }) => message),
      find: (idHex) => (find(source.pending(), idHex) ?? find(source.repushed(), idHex))?.message,
      get count() {
        return count();
      },
      get offered() {
        return count();
      },
      changes: source.pendingChanges,
    },
    view: (name) => views[name](),
    viewAt: (height) => past.at(height),
    checkMessage: (transaction) => {
      if (source.head().properties.isOn('ALLOW_PROTO_FILTER_NUM')) readAsPeer(transaction.bytes);
    },
    submit: source.submit,
    ...(follows !== undefined && { relay: createRelay(follows.submit) }),
    validate,
    now,
    callBudget,
    get snapshotCount() {
      return source.snapshotCount ?? ledger.position.headNumber - solidified.number;
    },
    get openBlocks() {
      const solidified = source.head().properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
      return ledger.position.headNumber - solidified + 1;
    },
  };
}

/**
 * Decodes a transaction with the checks for transactions of peers. These include the filter of unknown fields (proposal
 * 24). Reference: TransactionMessage.
 * @throws {ChainError | ProtobufError} the transaction does not pass the checks
 */
function readAsPeer(bytes: Uint8Array): void {
  try {
    readGossipedTransaction(bytes, true);
  } catch (error) {
    throw error instanceof P2pError ? new ChainError('P2pException', error.message, { cause: error }) : error;
  }
}

/**
 * Returns the pending transaction with an id. Searches the newest transactions first, because clients usually query a
 * transaction that they have just submitted.
 */
function find(pending: readonly PendingTransactions[], searched: string): PendingTransactions | undefined {
  return pending.findLast(({ idHex }) => idHex === searched);
}

/** View of the head with the effects of pending transactions. */
class HeadView {
  private readonly source: ChainSource;
  private readonly solidified: SolidifiedView;
  private readonly recent: RecentKeys;
  private readonly answerBytesMax: number | undefined;
  private known: { readonly version: number; readonly view: ChainView } | undefined;

  constructor(source: ChainSource, solidified: SolidifiedView, answerBytesMax: number | undefined) {
    this.source = source;
    this.solidified = solidified;
    this.answerBytesMax = answerBytesMax;
    const { ledger, rules } = source;
    this.recent = new RecentKeys({
      ledger,
      genesisTimeMs: rules.genesisTimeMs,
      slotMs: rules.slotMs,
      storedNumber: () => source.storedNumber,
    });
  }

  view(): ChainView {
    const { source } = this;
    const state = source.head();
    const { headVersion: version } = source;
    if (version === undefined) return this.viewOf(state);
    if (this.known?.version !== version) this.known = { version, view: this.viewOf(state) };
    return this.known.view;
  }

  private viewOf(state: State): ChainView {
    const { source, solidified, recent, answerBytesMax } = this;
    const { ledger } = source;
    return {
      ...viewOfLedger(ledger, state, ledger.position.headNumber, answerBytesMax),
      pendingTransaction: (id) => find(source.pending(), toHex(id))?.message,
      recentKeys: function* (table) {
        yield* recent.of(table.store);
        yield* concurrentOrder(source.writtenKeys(table), javaHashOfRowKey);
      },
      flushedNumber: source.storedNumber ?? solidified.number,
    };
  }
}

/** View of the newest solidified state. Caches decoded rows until a block is applied or reverted. */
class SolidifiedView {
  private readonly source: ChainSource;
  private readonly isControlled: boolean;
  private readonly answerBytesMax: number | undefined;
  private known: { readonly seq: number; readonly view: ChainView } | undefined;

  /**
   * @param isControlled true on a private network with control routes. On such a network, an open snapshot can stop the
   * solidified height of the log, so the view uses the solidified height in the state.
   */
  constructor(source: ChainSource, isControlled: boolean, answerBytesMax: number | undefined) {
    this.source = source;
    this.isControlled = isControlled;
    this.answerBytesMax = answerBytesMax;
  }

  view(): ChainView {
    const { ledger, rules } = this.source;
    const { seq } = ledger.position;
    if (this.known?.seq !== seq) {
      const { number } = this;
      const reader = this.isControlled ? ledger.at(number) : ledger.solidified();
      this.known = { seq, view: viewOfLedger(ledger, new State(reader, rules), number, this.answerBytesMax) };
    }
    return this.known.view;
  }

  get number(): number {
    const { solidifiedNumber, headNumber } = this.source.ledger.position;
    return Math.min(this.isControlled ? this.numberOfRules() : solidifiedNumber, headNumber);
  }

  private numberOfRules(): number {
    return this.source.head().properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
  }
}

/**
 * Checks the contract of a transaction that the node creates for a client. Reference: Wallet.createTransactionCapsule.
 * @throws {ContractValidateError} the contract is invalid
 */
function validate({ state }: ChainView, message: Transaction): void {
  const transaction = decodeTransaction(message);
  const handler = contractHandlers.get(transaction.contractType);
  if (handler === undefined) refuse(`not exist contract ${transaction.contractType}`);
  handler.validate(transaction.parameter, state, { transaction, block: undefined, isBeingBuilt: true });
}

/**
 * Returns true if the APIs for shielded transactions are enabled. Releases before 4.8.1 have only the key
 * `node.fullNodeAllowShieldedTransaction`. Later releases use `node.allowShieldedTransactionApi`, whose default is the
 * value of `node.fullNodeAllowShieldedTransaction` if that key is set. Reference: Args.setParam, NodeConfig.
 */
function servesShielded({ node }: NodeConfig, { shieldedByDefault }: ApiRelease): boolean {
  if (shieldedByDefault) return node.fullNodeAllowShieldedTransaction;
  return node.allowShieldedTransactionApi ?? false;
}

function rpcLimitsOf(
  configured: { readonly [K in keyof RpcLimits]: number | undefined },
  { rpcLimits }: ApiRelease,
): RpcLimits {
  const limits: { -readonly [K in keyof RpcLimits]: number } = { ...rpcLimits };
  for (const name of Object.keys(rpcLimits) as (keyof RpcLimits)[]) limits[name] = configured[name] ?? limits[name];
  return limits;
}

function apiSettings(config: NodeConfig): ApiSettings {
  const { node, transaction, vm, committee, tronicle } = config;
  const release = apiRelease(config.tronicle.release);
  return {
    release,
    rpcLimits: rpcLimitsOf(node.jsonrpc, release),
    isSolidityNode: config.isSolidityNode,
    unsolidifiedMax: unsolidifiedMaxOf(node) ?? Number.POSITIVE_INFINITY,
    addressPrefix: config.addressPrefix,
    bodyBytesMax:
      release.bodyBytesMax === undefined ? node.rpc.maxMessageSize : (node.http.maxMessageSize ?? release.bodyBytesMax),
    refersToSolid: transaction.referenceBlock === 'solid',
    expirationMs: BigInt(transaction.expirationMs),
    supportsConstant: vm.supportConstant,
    chainId: tronicle.devnet.chainId || undefined,
    constantEnergyMax: vm.maxEnergyLimitForConstant,
    constantCallMs: release.timesConstantCalls ? Number(vm.constantCallTimeoutMs) : 0,
    estimatesEnergy: vm.estimateEnergy,
    estimateRetries: vm.estimateEnergyMaxRetry,
    connectionsMin: node.rpc.minEffectiveConnection,
    remembersIds: node.rpc.trxCacheEnable,
    pendingMax: node.maxTransactionPendingSize,
    allowsShieldedApi: servesShielded(config, release),
    nodeInfo: {
      codeVersion: release.name,
      versionNum: release.versionNumber,
      p2pVersion: String(node.p2p.version),
      listenPort: BigInt(node.listen.port),
      discoverEnable: node.discovery.enable,
      activeNodeSize: BigInt(config.peers.active.length),
      passiveNodeSize: BigInt(config.peers.passive.length),
      sendNodeSize: BigInt(config.seedNodes.length),
      maxConnectCount: BigInt(node.maxConnections),
      sameIpMaxConnectCount: BigInt(node.maxConnectionsWithSameIp),
      backupListenPort: BigInt(node.backup.port),
      backupMemberSize: BigInt(node.backup.members.length),
      backupPriority: BigInt(node.backup.priority),
      dbVersion: 2n,
      minParticipationRate: BigInt(node.minParticipationRate),
      supportConstant: vm.supportConstant,
      minTimeRatio: vm.minTimeRatio,
      maxTimeRatio: vm.maxTimeRatio,
      allowCreationOfContracts: BigInt(committee.allowCreationOfContracts),
      allowAdaptiveEnergy: BigInt(committee.allowAdaptiveEnergy),
    },
  };
}
