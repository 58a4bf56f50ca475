import { viewOfLedger } from '../api/ledger-view.js';
import { createRelay } from '../api/operations/relay.js';
import { PastViews } from '../api/past-views.js';
import { apiRelease } from '../api/releases/releases.js';
import { Transaction } from '../log/codec/generated/messages.js';
import { toHex } from '../log/domain/bytes.js';
import { contractHandlers } from '../vm/contracts/handlers.js';
import { refuse } from '../vm/errors.js';
import { State } from '../vm/state/state.js';
import { decodeTransaction } from '../vm/transactions/decode-transaction.js';
import { readTransactionMessage } from './chain/peer-messages.js';
import { unsolidifiedMaxOf } from './config/unsolidified.js';
const NO_PEERS = { active: 0, inSync: 0, broadcast: () => 0 };
/** What HTTP, gRPC and JSON-RPC answer from: views of a chain, its pool, the settings of its node. */
export function createApiContext({ source, config, now, peers = NO_PEERS, patience }) {
    const { ledger, rules } = source;
    const follows = config.tronicle.source;
    const head = new HeadView(source);
    const solid = new SolidView(ledger, rules);
    const past = new PastViews(ledger, rules);
    const count = () => source.pending().length + source.takenBack().length;
    return {
        settings: apiSettings(config),
        peers,
        waiting: {
            all: () => [...source.pending(), ...source.takenBack()].map(({ message }) => message),
            find: (idHex) => (find(source.pending(), idHex) ?? find(source.takenBack(), idHex))?.message,
            get count() {
                return count();
            },
            get offered() {
                return count();
            },
            changes: source.waitingChanges,
        },
        view: (name) => (name === 'head' ? head.view() : solid.view()),
        viewAt: (height) => past.at(height),
        checkMessage: (transaction) => {
            const isFiltered = source.head().properties.isOn('ALLOW_PROTO_FILTER_NUM');
            if (isFiltered)
                readTransactionMessage(Transaction.encode(transaction), isFiltered);
        },
        submit: (transaction) => source.submit(transaction),
        ...(follows !== undefined && { relay: createRelay(follows.submit) }),
        validate,
        now,
        patience,
        get openBlocks() {
            const solidified = source.head().properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
            return ledger.position.headNumber - solidified + 1;
        },
    };
}
function find(waiting, wanted) {
    return waiting.find(({ idHex }) => idHex === wanted);
}
/** The head with the effects of what waits. */
class HeadView {
    source;
    recent;
    known;
    constructor(source) {
        this.source = source;
        this.recent = new RecentKeys(source.ledger);
    }
    view() {
        const { source } = this;
        const state = source.head();
        const { headVersion: version } = source;
        if (version === undefined)
            return this.viewOf(state);
        if (this.known?.version !== version)
            this.known = { version, view: this.viewOf(state) };
        return this.known.view;
    }
    viewOf(state) {
        const { source, recent } = this;
        const { ledger } = source;
        return {
            ...viewOfLedger(ledger, state, ledger.position.headNumber),
            waiting: (id) => find(source.pending(), toHex(id))?.message,
            recentKeys: function* (table) {
                yield* recent.of(table.store);
                yield* source.writtenKeys(table);
            },
        };
    }
}
/** Keys of rows that the blocks above the solidified one have written, by store; known until the chain moves. */
class RecentKeys {
    ledger;
    seq = -1;
    keys = new Map();
    constructor(ledger) {
        this.ledger = ledger;
    }
    of(store) {
        const { ledger } = this;
        const { seq, headNumber, solidifiedNumber } = ledger.position;
        if (seq !== this.seq) {
            this.seq = seq;
            this.keys.clear();
            for (let number = solidifiedNumber + 1; number <= headNumber; number++)
                this.read(ledger.block(number).seq);
        }
        return this.keys.get(store) ?? [];
    }
    read(seq) {
        for (const { store, key } of this.ledger.changes(seq)?.rows ?? []) {
            const keys = this.keys.get(store) ?? [];
            if (keys.length === 0)
                this.keys.set(store, keys);
            keys.push(toHex(key));
        }
    }
}
/** The newest irreversible state; its decoded rows are kept until the chain moves. */
class SolidView {
    ledger;
    rules;
    known;
    constructor(ledger, rules) {
        this.ledger = ledger;
        this.rules = rules;
    }
    view() {
        const { ledger, rules } = this;
        const { seq, solidifiedNumber, headNumber } = ledger.position;
        if (this.known?.seq !== seq) {
            const number = Math.min(solidifiedNumber, headNumber);
            this.known = { seq, view: viewOfLedger(ledger, new State(ledger.solidified(), rules), number) };
        }
        return this.known.view;
    }
}
/** Reference: the validation in Wallet.createTransactionCapsule. */
function validate({ state }, message) {
    const transaction = decodeTransaction(message);
    const handler = contractHandlers.get(transaction.contractType);
    if (handler === undefined)
        refuse(`not exist contract ${transaction.contractType}`);
    handler.validate(transaction.parameter, state, { transaction, block: undefined, isBeingBuilt: true });
}
/** Reference: Args.setParam; from 4.8.1 on NodeConfig, where the older key counts only when it is given. */
function servesShielded({ node }, { shieldedByDefault }) {
    if (shieldedByDefault)
        return node.fullNodeAllowShieldedTransaction;
    return node.allowShieldedTransactionApi ?? false;
}
function rpcLimitsOf(given, { rpcLimits }) {
    const names = Object.keys(rpcLimits);
    return Object.fromEntries(names.map((name) => [name, given[name] ?? rpcLimits[name]]));
}
function apiSettings(config) {
    const { node, transaction, vm, committee } = config;
    const release = apiRelease(config.tronicle.release);
    return {
        release,
        rpcLimits: rpcLimitsOf(node.jsonrpc, release),
        unsolidifiedMax: unsolidifiedMaxOf(node) ?? Number.POSITIVE_INFINITY,
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
//# sourceMappingURL=api-context.js.map