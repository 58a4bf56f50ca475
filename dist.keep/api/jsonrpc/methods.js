import { toAddress } from '../../log/domain/address.js';
import { toHex } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import { TooCostly } from '../call-pool.js';
import { JavaError, nullPointer } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { finalHeight, heightOf, namedHeight } from './block-choice.js';
import { blockResult, contentOf, transactionAt, transactionReceipt, waitingResult, } from './block-results.js';
import { debugMethods } from './debug-methods.js';
import { method } from './envelope.js';
import { anything, argumentReaders, filterRequest, flag, text, } from './parameters.js';
import { data, quantity, readHash, readIndex } from './quantities.js';
import { checkBlockRange, readLogQuery } from './read-log-query.js';
import { internalError, invalidParams, unavailable } from './rpc-error.js';
import { stateMethods } from './state-methods.js';
import { syncStatus } from './sync-status.js';
/** Every method of one port. Reference: TronJsonRpc, TronJsonRpcImpl. */
export function rpcMethods(context) {
    return new Map([
        ...nodeMethods(context),
        ...blockMethods(context),
        ...stateMethods(context),
        ...filterMethods(context),
        ...(context.features.debug ? debugMethods(context) : []),
        ...unavailableMethods(argumentReaders(context.api.settings.release)),
    ]);
}
function nodeMethods({ api, view: name, producers }) {
    const view = () => api.view(name);
    const { release } = api.settings;
    const chainId = () => data(view().blockIdAt(0).subarray(-4));
    const head = () => contentOf(view(), view().headNumber);
    return [
        method('web3_clientVersion', [], () => `TRON/v${release.name}/Linux/Java${release.javaVersion}`),
        method('web3_sha3', [text], (input) => data(keccak256(readInput(input)))),
        method('eth_blockNumber', [], () => quantity(view().headNumber)),
        method('eth_chainId', [], chainId),
        method('net_version', [], chainId),
        method('net_listening', [], () => api.peers.active > 0),
        method('net_peerCount', [], () => quantity(api.peers.active)),
        method('eth_protocolVersion', [], () => quantity(head().block.raw.version)),
        method('eth_syncing', [], () => syncStatus(api, head().block.timeMs, view().headNumber)),
        method('eth_mining', [], () => producers.some((address) => isActive(view(), address))),
        method('eth_hashrate', [], () => '0x0'),
        method('eth_accounts', [], () => []),
        method('eth_coinbase', [], () => coinbase(view(), producers)),
        method('eth_gasPrice', [], () => quantity(view().state.properties.get('ENERGY_FEE'))),
        method('eth_getWork', [], () => [data(view().blockIdAt(view().headNumber)), null, null]),
    ];
}
function readInput(input) {
    try {
        return bytesOfHex(input);
    }
    catch {
        throw invalidParams('invalid input value');
    }
}
function isActive({ state }, address) {
    const schedule = state.witnessSchedule.get(toHex(Buffer.from('active_witnesses')));
    return schedule !== undefined && toHex(schedule).includes(toHex(address));
}
function coinbase({ state }, producers) {
    const own = producers.find((address) => state.witnesses.has(toAddress(address)));
    if (own === undefined)
        throw internalError('etherbase must be explicitly specified');
    return data(own);
}
function blockMethods(context) {
    const { api, view: name, features } = context;
    const view = () => api.view(name);
    const print = () => ({ view: view(), ...api.settings });
    const byHash = (hash) => {
        const number = view().numberOf(readHash(hash, api.settings.release));
        return number === undefined ? undefined : contentOf(view(), number);
    };
    const byNumber = (tag) => {
        const number = heightOf(context, tag);
        return number === undefined ? undefined : contentOf(view(), number);
    };
    const count = (found) => found === undefined ? null : quantity(found.block.transactions.length);
    const entry = (found, index) => {
        if (found === undefined)
            return null;
        const at = readIndex(index, api.settings.release);
        if (at < 0)
            throw new JavaError('java.lang.ArrayIndexOutOfBoundsException', String(at));
        return transactionAt(found, at, print());
    };
    const byId = (id, show) => {
        const place = view().transactionAt(readHash(id, api.settings.release));
        // Genesis transactions are in no index of the reference.
        return place === undefined || place.number === 0 ? null : show(contentOf(view(), place.number), place.index);
    };
    return [
        method('eth_getBlockTransactionCountByHash', [text], (hash) => count(byHash(hash))),
        method('eth_getBlockTransactionCountByNumber', [text], (tag) => count(byNumber(tag))),
        method('eth_getBlockByHash', [text, flag], (hash, isFull) => {
            const found = byHash(hash);
            if (isFull === null)
                throw nullPointer();
            return found === undefined ? null : blockResult(found, isFull, print());
        }),
        method('eth_getBlockByNumber', [text, flag], (tag, isFull) => {
            const found = byNumber(tag);
            if (found === undefined)
                return null;
            if (isFull === null)
                throw nullPointer();
            return blockResult(found, isFull, print());
        }),
        method('eth_getTransactionByHash', [text], (id) => {
            const waiting = view().waiting(readHash(id, api.settings.release));
            if (waiting !== undefined)
                return waitingResult(decodeTransaction(waiting), print());
            return byId(id, (content, index) => transactionAt(content, index, print()));
        }),
        method('eth_getTransactionReceipt', [text], (id) => byId(id, (content, index) => transactionReceipt(content, index, print()))),
        method('eth_getTransactionByBlockHashAndIndex', [text, text], (hash, index) => entry(byHash(hash), index)),
        method('eth_getTransactionByBlockNumberAndIndex', [text, text], (tag, index) => entry(byNumber(tag), index)),
        method('eth_getUncleByBlockHashAndIndex', [text, text], () => null),
        method('eth_getUncleByBlockNumberAndIndex', [text, text], () => null),
        method('eth_getUncleCountByBlockHash', [text], () => '0x0'),
        method('eth_getUncleCountByBlockNumber', [text], () => '0x0'),
        ...(features.blockReceipts || api.settings.release.hasBlockReceipts
            ? [blockReceipts(byHash, byNumber, view, print)]
            : []),
    ];
}
/** Receipts of all transactions of a block, which a tag, a number, a hash, or an object with one of them names. */
function blockReceipts(byHash, byNumber, view, print) {
    return method('eth_getBlockReceipts', [anything], (block) => {
        const content = typeof block !== 'string'
            ? contentOf(view(), namedHeight(view(), block, print().release))
            : /^0x[0-9a-f]{64}$/i.test(block)
                ? byHash(block)
                : byNumber(block);
        if (content === undefined)
            return null;
        // Genesis transactions have no receipts.
        return content.infos.map((_, index) => transactionReceipt(content, index, print()));
    });
}
function filterMethods(context) {
    const { api, view: name, filters, logs, pool } = context;
    const view = (called) => {
        if (name === 'pbft')
            throw unavailable(called, ' in PBFT');
        return api.view(name);
    };
    const readQuery = (request, at) => {
        if (request === null)
            throw nullPointer();
        return readLogQuery(request, at, { ...api.settings, findTag: (tag) => finalHeight(context, tag) });
    };
    const logsText = (at, query) => {
        try {
            return logs.list(at, query, pool && api.patience?.ms);
        }
        catch (error) {
            if (!(error instanceof TooCostly) || pool === undefined)
                throw error;
            return pool.logs(name, query);
        }
    };
    const inRange = (at, query) => {
        checkBlockRange(query, at, api.settings.rpcLimits);
        return query;
    };
    const guarded = (called, parameters, run) => method(called, parameters, (...values) => run(view(called), ...values));
    return [
        guarded('eth_newFilter', [filterRequest], (at, request) => {
            if (api.settings.release.knowsFinalityTags && isFromFinality(request))
                throw invalidParams('invalid block range params');
            return filters.add(readQuery(request, at));
        }),
        guarded('eth_newBlockFilter', [], () => filters.add(undefined)),
        guarded('eth_uninstallFilter', [text], (_, id) => {
            filters.remove(id);
            return true;
        }),
        guarded('eth_getFilterChanges', [text], (_, id) => filters.take(id)),
        guarded('eth_getFilterLogs', [text], (at, id) => logsText(at, inRange(at, filters.queryOf(id)))),
        guarded('eth_getLogs', [filterRequest], (at, request) => logsText(at, inRange(at, readQuery(request, at)))),
    ];
}
/** Filters wait for blocks that come, so that `finalized` says nothing. Reference: TronJsonRpcImpl.newFilter */
function isFromFinality(request) {
    return [request?.fromBlock, request?.toBlock].some((tag) => tag?.toLowerCase() === 'finalized');
}
/** Methods that only refuse, with the parameters that they must be given. */
function unavailableMethods({ callArguments }) {
    const texts = (count) => Array.from({ length: count }, () => text);
    const named = [
        ['eth_submitWork', texts(3)],
        ['eth_sendRawTransaction', texts(1)],
        ['eth_sendTransaction', [callArguments]],
        ['eth_sign', texts(2)],
        ['eth_signTransaction', [callArguments]],
        ['parity_nextNonce', texts(1)],
        ['eth_getTransactionCount', texts(2)],
        ['eth_getCompilers', []],
        ['eth_compileSolidity', texts(1)],
        ['eth_compileLLL', texts(1)],
        ['eth_compileSerpent', texts(1)],
        ['eth_submitHashrate', texts(2)],
    ];
    return named.map(([name, parameters]) => [
        name,
        {
            parameters,
            run: () => {
                throw unavailable(name);
            },
        },
    ]);
}
//# sourceMappingURL=methods.js.map