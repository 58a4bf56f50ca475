import type { ApiContext, ApiSettings, ChainView, PeerLink, ViewName } from '../api/api-context.js';
import { viewOfLedger } from '../api/ledger-view.js';
import { PastViews } from '../api/past-views.js';
import { Transaction } from '../log/codec/generated/messages.js';
import { toHex } from '../log/domain/bytes.js';
import { refuse } from '../vm/errors.js';
import { State } from '../vm/state/state.js';
import { decodeTransaction } from '../vm/transactions/decode-transaction.js';
import type { Chain } from './chain/chain.js';
import { readTransactionMessage } from './chain/peer-messages.js';
import type { NodeConfig } from './config/load-config.js';

export interface ApiContextOptions {
  readonly chain: Chain;
  readonly config: NodeConfig;
  /** ms since 1970. */
  readonly now: () => number;
  /** Without a peer layer nobody is connected. */
  readonly peers?: PeerLink;
}

const NO_PEERS: PeerLink = { active: 0, inSync: 0, broadcast: () => 0 };

/** What HTTP, gRPC and JSON-RPC answer from: views of a chain, its pool, the settings of its node. */
export function createApiContext({ chain, config, now, peers = NO_PEERS }: ApiContextOptions): ApiContext {
  const { pool } = chain;
  const solid = new SolidView(chain);
  const recent = new RecentKeys(chain);
  const past = new PastViews(chain.ledger, chain.state.rules);
  return {
    settings: apiSettings(config),
    peers,
    waiting: {
      all: () => [...pool.pending.values(), ...pool.repush.values()].map(({ transaction }) => transaction.message),
      find: (idHex) =>
        [...pool.pending.values(), ...pool.repush.values()].find(({ transaction }) => transaction.idHex === idHex)
          ?.transaction.message,
      get count() {
        return pool.pending.size + pool.repush.size;
      },
      get offered() {
        return pool.pending.size + pool.repush.size;
      },
    },
    view: (name: ViewName) => (name === 'head' ? headView(chain, recent) : solid.view()),
    viewAt: (height) => past.at(height),
    checkMessage: (transaction) => {
      const isFiltered = chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
      if (isFiltered) readTransactionMessage(Transaction.encode(transaction), isFiltered);
    },
    submit: async (transaction) => pool.push(decodeTransaction(transaction)),
    validate: (view, transaction) => validate(chain, view, transaction),
    now,
    get openBlocks() {
      return chain.ledger.position.headNumber - chain.solidifiedNumber + 1;
    },
  };
}

/** The head with the effects of what waits. */
function headView(chain: Chain, recent: RecentKeys): ChainView {
  const { pool, state, ledger } = chain;
  return {
    ...viewOfLedger(ledger, state, ledger.position.headNumber),
    waiting: (id) => {
      const idHex = toHex(id);
      return pool.pending.values().find(({ transaction }) => transaction.idHex === idHex)?.transaction.message;
    },
    recentKeys: function* (table) {
      yield* recent.of(table.store);
      yield* table.writtenKeys();
    },
  };
}

/** Keys of rows that the blocks above the solidified one have written, by store; known until the chain moves. */
class RecentKeys {
  private readonly chain: Chain;
  private seq = -1;
  private readonly keys = new Map<number, string[]>();

  constructor(chain: Chain) {
    this.chain = chain;
  }

  of(store: number): readonly string[] {
    const { ledger } = this.chain;
    const { seq, headNumber, solidifiedNumber } = ledger.position;
    if (seq !== this.seq) {
      this.seq = seq;
      this.keys.clear();
      for (let number = solidifiedNumber + 1; number <= headNumber; number++) this.read(ledger.block(number)!.seq);
    }
    return this.keys.get(store) ?? [];
  }

  private read(seq: number): void {
    for (const { store, key } of this.chain.ledger.changes(seq)?.rows ?? []) {
      const keys = this.keys.get(store) ?? [];
      if (keys.length === 0) this.keys.set(store, keys);
      keys.push(toHex(key));
    }
  }
}

/** The newest irreversible state; its decoded rows are kept until the chain moves. */
class SolidView {
  private readonly chain: Chain;
  private known: { readonly seq: number; readonly state: State; readonly number: number } | undefined;

  constructor(chain: Chain) {
    this.chain = chain;
  }

  view(): ChainView {
    const { ledger, state } = this.chain;
    const { seq, solidifiedNumber, headNumber } = ledger.position;
    if (this.known?.seq !== seq) {
      const number = Math.min(solidifiedNumber, headNumber);
      this.known = { seq, state: new State(ledger.solidified(), state.rules), number };
    }
    return viewOfLedger(this.chain.ledger, this.known.state, this.known.number);
  }
}

/** Reference: the validation in Wallet.createTransactionCapsule. */
function validate({ executor }: Chain, { state }: ChainView, message: Transaction): void {
  const transaction = decodeTransaction(message);
  const handler = executor.handlers.get(transaction.contractType);
  if (handler === undefined) refuse(`not exist contract ${transaction.contractType}`);
  handler.validate(transaction.parameter, state, { transaction, block: undefined, isBeingBuilt: true });
}

function apiSettings(config: NodeConfig): ApiSettings {
  const { node, transaction, vm, committee } = config;
  return {
    addressPrefix: config.addressPrefix,
    bodyBytesMax: node.rpc.maxMessageSize,
    refersToSolid: transaction.referenceBlock === 'solid',
    expirationMs: BigInt(transaction.expirationMs),
    supportsConstant: vm.supportConstant,
    constantEnergyMax: vm.maxEnergyLimitForConstant,
    estimatesEnergy: vm.estimateEnergy,
    estimateRetries: vm.estimateEnergyMaxRetry,
    connectionsMin: node.rpc.minEffectiveConnection,
    remembersIds: node.rpc.trxCacheEnable,
    waitingMax: node.maxTransactionPendingSize,
    allowsShieldedApi: node.fullNodeAllowShieldedTransaction,
    nodeInfo: {
      activeNodeSize: BigInt(config.peers.value.active.length),
      allowAdaptiveEnergy: BigInt(committee.allowAdaptiveEnergy),
      allowCreationOfContracts: BigInt(committee.allowCreationOfContracts),
      backupListenPort: BigInt(node.backup.port),
      backupMemberSize: BigInt(node.backup.members.length),
      backupPriority: BigInt(node.backup.priority),
      codeVersion: '4.7.2',
      dbVersion: 2n,
      discoverEnable: node.discovery.enable,
      listenPort: BigInt(node.listen.port),
      maxConnectCount: BigInt(node.maxConnections),
      maxTimeRatio: vm.maxTimeRatio,
      minParticipationRate: BigInt(node.minParticipationRate),
      minTimeRatio: vm.minTimeRatio,
      p2pVersion: String(node.p2p.version),
      passiveNodeSize: BigInt(config.peers.value.passive.length),
      sameIpMaxConnectCount: BigInt(node.maxConnectionsWithSameIp),
      sendNodeSize: BigInt(config.seedNodes.length),
      supportConstant: vm.supportConstant,
      versionNum: '17686',
    },
  };
}
