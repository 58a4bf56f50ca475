import { TransactionContractContractType as ContractType } from '../../../codec/generated/messages.js';
import { contractRecipient } from '../../../encoding/contract-types/read-contract.js';
import { toHex } from '../../../primitives/bytes.js';
import type { ReadBlock, ReadTransaction } from '../../context/read-block.js';
import { enumName } from '../enum-name.js';
import { type AccountChange, type AccountChangeFilter, changeSelector } from '../events/account-changes.js';
import { type EventFinality, EventStream, type StreamEvent } from '../events/event-stream.js';
import type { LogTail } from '../events/log-tail.js';
import { StatusStream, StatusWatch } from '../events/status-stream.js';
import { type FoundLog, type GraphqlLogFilter, logMatcher, logsOfBlock } from '../find-logs.js';
import { graphqlError } from '../graphql-errors.js';
import type { GraphqlSource } from '../graphql-source.js';
import { type ResumableStream, StallGuardedStream, type StallLimits } from '../stall-guarded-stream.js';
import type { NodeStatus } from '../status.js';

/**
 * Maximum number of subscriptions per connection. A subscription has a position in the block log and at most one event
 * in memory.
 */
const SUBSCRIPTIONS_MAX = 32;

/** Connection to which a subscription belongs. */
export interface SubscriberContext {
  /** Event streams of the connection that have not ended. */
  readonly streams: Set<{ return(): Promise<unknown> }>;
  readonly closeConnection: () => void;
}

interface Arguments<Filter> {
  readonly finality: EventFinality;
  readonly after?: string | null;
  readonly filter?: Filter | null;
}

interface BlockFilter {
  readonly witnesses?: readonly Uint8Array[] | null;
}

interface TransactionFilter {
  readonly addresses?: readonly Uint8Array[] | null;
  readonly types?: readonly string[] | null;
}

interface SubscriptionOptions {
  readonly source: GraphqlSource;
  readonly tail: LogTail;
  readonly limits: StallLimits;
}

/** Returns the resolvers of `Subscription`. */
export function subscriptionResolvers(options: SubscriptionOptions) {
  const { addressPrefix } = options.source.api.settings;
  const watch = new StatusWatch(options.source);
  return {
    blocks: field<ReadBlock, BlockFilter>(options, 'block', (filter) => {
      const matches = blockMatcher(filter);
      return (block) => (matches(block) ? [block] : []);
    }),
    transactions: field<ReadTransaction, TransactionFilter>(options, 'transaction', (filter) => {
      const matches = transactionMatcher(filter);
      return (block) => block.transactions.filter(matches);
    }),
    logs: field<FoundLog, GraphqlLogFilter>(options, 'log', (filter) => {
      const matches = logMatcher(filter);
      return (block) => logsOfBlock(block, addressPrefix).filter(matches);
    }),
    status: {
      subscribe: (_: unknown, __: unknown, context: SubscriberContext) =>
        stallGuarded(options, context, new StatusStream(watch)),
      resolve: (status: NodeStatus) => status,
    },
    accountChanges: field<AccountChange, AccountChangeFilter>(options, 'change', (filter) =>
      changeSelector(options.source.ledger, filter),
    ),
  };
}

/** Returns the resolver of an event stream. @param name field of the response that contains the item of each event */
function field<T, Filter extends object>(
  options: SubscriptionOptions,
  name: string,
  selector: (filter: Partial<Filter>) => (block: ReadBlock) => readonly T[],
) {
  return {
    subscribe: (_: unknown, { finality, after, filter }: Arguments<Filter>, context: SubscriberContext) => {
      const { source, tail } = options;
      return stallGuarded(
        options,
        context,
        new EventStream({ source, tail, finality, after, select: selector(filter ?? {}) }),
      );
    },
    resolve: ({ cursor, kind, item }: StreamEvent<T>) => ({ cursor, kind, [name]: item }),
  };
}

/**
 * Returns a stream that ends if the client reads too slowly, and adds it to the streams of the connection.
 * @throws {GraphQLError} TOO_MANY_SUBSCRIPTIONS: the connection has reached its maximum
 */
function stallGuarded<T>(
  { limits }: SubscriptionOptions,
  { streams, closeConnection }: SubscriberContext,
  stream: ResumableStream<T>,
): StallGuardedStream<T> {
  if (streams.size >= SUBSCRIPTIONS_MAX) {
    throw graphqlError(
      'TOO_MANY_SUBSCRIPTIONS',
      `too many subscriptions; the maximum per connection is ${SUBSCRIPTIONS_MAX}`,
    );
  }
  const guarded = new StallGuardedStream({
    stream,
    limits,
    closeConnection,
    onEnd: () => {
      streams.delete(guarded);
    },
  });
  streams.add(guarded);
  return guarded;
}

function blockMatcher({ witnesses }: BlockFilter): (block: ReadBlock) => boolean {
  if (!witnesses?.length) return () => true;
  const selected = new Set(witnesses.map(toHex));
  return ({ header }) => selected.has(toHex(header.witnessAddress));
}

function transactionMatcher({ addresses, types }: TransactionFilter): (transaction: ReadTransaction) => boolean {
  const selected = addresses?.length ? new Set(addresses.map(toHex)) : undefined;
  const names = types?.length ? new Set(types) : undefined;
  if (selected === undefined && names === undefined) return () => true;
  return ({ decoded }) => {
    if (names !== undefined && !names.has(enumName(ContractType, decoded.contractType))) return false;
    return selected === undefined || selected.has(decoded.owner) || selected.has(toHex(contractRecipient(decoded)));
  };
}
