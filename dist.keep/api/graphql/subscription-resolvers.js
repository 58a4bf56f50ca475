import { TransactionContractContractType as ContractType } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import { contractRecipient } from '../jsonrpc/contract-values.js';
import { changeSelector } from './account-changes.js';
import { enumName } from './enum-name.js';
import { EventStream } from './event-stream.js';
import { logMatcher, logsOfBlock } from './find-logs.js';
import { graphqlError } from './graphql-errors.js';
import { PatientStream } from './patience.js';
import { StatusStream, StatusWatch } from './status-stream.js';
/** Subscriptions of one connection: each holds a place in the log and at most one event. */
export const SUBSCRIPTIONS_MAX = 32;
/** The entry points of `Subscription`. */
export function subscriptionResolvers(options) {
    const { addressPrefix } = options.source.api.settings;
    const watch = new StatusWatch(options.source);
    return {
        blocks: field(options, 'block', (filter) => {
            const isWanted = blockMatcher(filter);
            return (block) => (isWanted(block) ? [block] : []);
        }),
        transactions: field(options, 'transaction', (filter) => {
            const isWanted = transactionMatcher(filter);
            return (block) => block.transactions.filter(isWanted);
        }),
        logs: field(options, 'log', (filter) => {
            const isWanted = logMatcher(filter);
            return (block) => logsOfBlock(block, addressPrefix).filter(isWanted);
        }),
        status: {
            subscribe: (_, __, { connection }) => patient(options, connection, new StatusStream(watch)),
            resolve: (status) => status,
        },
        accountChanges: field(options, 'change', (filter) => changeSelector(options.source.ledger, filter)),
    };
}
/** A stream of events whose item stands in a field of its own name. */
function field(options, name, selector) {
    return {
        subscribe: (_, { finality, after, filter }, { connection }) => {
            const { source, tail } = options;
            return patient(options, connection, new EventStream({ source, tail, finality, after, select: selector(filter ?? {}) }));
        },
        resolve: ({ cursor, kind, item }) => ({ cursor, kind, [name]: item }),
    };
}
/** @throws {GraphQLError} TOO_MANY_SUBSCRIPTIONS */
function patient({ patience }, connection, stream) {
    if (connection.subscriptions >= SUBSCRIPTIONS_MAX) {
        throw graphqlError('TOO_MANY_SUBSCRIPTIONS', `a connection may have ${SUBSCRIPTIONS_MAX} subscriptions`);
    }
    connection.subscriptions++;
    return new PatientStream({
        stream,
        patience,
        giveUp: () => connection.socket.terminate(),
        onEnd: () => {
            connection.subscriptions--;
        },
    });
}
function blockMatcher({ witnesses }) {
    if (!witnesses?.length)
        return () => true;
    const wanted = new Set(witnesses.map(toHex));
    return ({ header }) => wanted.has(toHex(header.witnessAddress));
}
function transactionMatcher({ addresses, types }) {
    const wanted = addresses?.length ? new Set(addresses.map(toHex)) : undefined;
    const names = types?.length ? new Set(types) : undefined;
    if (wanted === undefined && names === undefined)
        return () => true;
    return ({ message }) => {
        const decoded = decodeTransaction(message);
        if (names !== undefined && !names.has(enumName(ContractType, decoded.contractType)))
            return false;
        return wanted === undefined || wanted.has(decoded.owner) || wanted.has(toHex(contractRecipient(decoded)));
    };
}
//# sourceMappingURL=subscription-resolvers.js.map