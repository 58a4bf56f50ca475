import { randomBytes } from 'node:crypto';
import { type ByteBudget, ByteGroup, type DropReason } from '../../../primitives/byte-budget.js';
import { toHex } from '../../../primitives/bytes.js';
import { createFilterBudget } from '../../middleware/memory-budgets.js';
import { type RpcEntry, rpcMethod } from '../envelope.js';
import type { Json } from '../json-text.js';
import { bytesOfFilter, type LogFilter, logTest } from '../logs/log-filter.js';
import { type FilterForm, readLogFilter } from '../logs/read-log-query.js';
import type { RpcContext } from '../methods/rpc-context.js';
import { blocksBehind, syncStatus } from '../methods/sync-status.js';
import { anyParameter, ethereumFilter, type FilterRequest, flagParameter, textParameter } from '../parameters.js';
import { internalError, invalidParams, ParameterKindError, unavailable } from '../rpc-error.js';
import { BlockTexts } from './block-texts.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';
import type { PendingAnswer } from './pending-answer.js';
import { QueuedNotifications } from './queued-notifications.js';

/** Maximum number of subscriptions per connection. */
const SUBSCRIPTIONS_MAX = 128;
/** Interval of the checks of the sync status, in ms. The status can change without a block. */
const SYNC_CHECK_MS = 1000;
/** Maximum number of slots between head and clock for which the node counts as synced. */
const BEHIND_MAX = 3;

/** A WebSocket connection that receives `eth_subscription` notifications. */
export interface Subscriber {
  send(text: string): void;
  /** Closes the connection, because the conditions of its subscriptions use too much memory. */
  drop(reason: DropReason): void;
  /** Closes the connection after an internal error, because the client would miss notifications. */
  fail(): void;
}

/** A subscription: its block handler, and the function that ends it. */
interface Subscription {
  block?(texts: BlockTexts): void;
  end?(): void;
}

/** The subscriptions of one connection by id, and the memory of their conditions. */
interface Owned {
  readonly subscriptions: Map<string, Subscription>;
  readonly memory: ByteGroup;
}

/** All subscriptions of one port. An event is read once and passed to all of them. */
export class Subscriptions {
  private readonly context: RpcContext;
  private readonly events: ChainEvents;
  private readonly pendingNotifications: QueuedNotifications;
  private readonly all = new Map<Subscriber, Owned>();
  private readonly budget: ByteBudget;
  private stopListening: (() => void) | undefined;

  /** @param budget memory budget of the addresses and topics; the subscriptions of several ports can share it */
  constructor(context: RpcContext, events: ChainEvents, budget = createFilterBudget()) {
    this.context = context;
    this.events = events;
    this.budget = budget;
    this.pendingNotifications = new QueuedNotifications(context);
  }

  /**
   * Returns the methods that only WebSocket connections have.
   * @param owner connection that calls the methods
   * @param answer answer to the batch that calls the methods; undefined outside a batch
   */
  methodsFor(owner: Subscriber, answer?: PendingAnswer): RpcEntry[] {
    return [
      rpcMethod<[string | null, Json]>(
        'eth_subscribe',
        [textParameter, anyParameter],
        (kind, detail) => this.add(owner, answer, kind, detail),
        1,
      ),
      rpcMethod<[string | null]>('eth_unsubscribe', [textParameter], (id) => this.remove(owner, id)),
    ];
  }

  /** Ends all subscriptions of a closed connection. */
  drop(owner: Subscriber): void {
    const owned = this.all.get(owner);
    if (owned === undefined) return;
    for (const subscription of owned.subscriptions.values()) subscription.end?.();
    this.all.delete(owner);
    this.listen();
  }

  private add(owner: Subscriber, answer: PendingAnswer | undefined, kind: string | null, detail: Json): string {
    const owned = this.all.get(owner) ?? { subscriptions: new Map(), memory: new ByteGroup() };
    if (owned.subscriptions.size >= SUBSCRIPTIONS_MAX)
      throw internalError(`too many subscriptions; the maximum per connection is ${SUBSCRIPTIONS_MAX}`);
    const id = `0x${toHex(randomBytes(16))}`;
    const sendNow = (result: string): void => owner.send(notification(id, result));
    const send = answer === undefined ? sendNow : (result: string) => answer.after(() => sendNow(result));
    owned.subscriptions.set(id, this.create(owner, owned.memory, kind, detail, send));
    this.all.set(owner, owned);
    this.listen();
    return id;
  }

  private remove(owner: Subscriber, id: string | null): boolean {
    const owned = this.all.get(owner);
    const subscription = id === null ? undefined : owned?.subscriptions.get(id);
    if (id === null || owned === undefined || subscription === undefined) throw internalError('subscription not found');
    owned.subscriptions.delete(id);
    subscription.end?.();
    if (owned.subscriptions.size === 0) this.all.delete(owner);
    this.listen();
    return true;
  }

  /** Follows the chain while subscriptions exist. */
  private listen(): void {
    if (this.all.size === 0) {
      this.stopListening?.();
      this.stopListening = undefined;
      return;
    }
    this.stopListening ??= this.events.listen(
      this.context.view,
      (event) => this.emit(event),
      () => {
        for (const owner of [...this.all.keys()]) this.fail(owner);
      },
    );
  }

  /** Passes an event to all subscriptions. If this fails for a connection, closes only this connection. */
  private emit(event: ChainEvent): void {
    const texts = new BlockTexts(event, this.context);
    for (const [owner, { subscriptions }] of [...this.all]) {
      try {
        for (const subscription of [...subscriptions.values()]) subscription.block?.(texts);
      } catch (error) {
        this.events.notSent(error);
        this.fail(owner);
      }
    }
  }

  private fail(owner: Subscriber): void {
    this.drop(owner);
    owner.fail();
  }

  private create(
    owner: Subscriber,
    group: ByteGroup,
    kind: string | null,
    detail: Json,
    send: (result: string) => void,
  ): Subscription {
    switch (kind) {
      case 'newHeads':
        requireNoDetail(kind, detail);
        return { block: (block) => block.isReverted || send(block.header) };
      case 'logs': {
        const filter = logFilterOf(detail, this.context.api.settings);
        const share = this.budget.open({ group, drop: (reason) => owner.drop(reason) });
        share.set(bytesOfFilter(filter));
        const matches = logTest(filter);
        return {
          block: ({ logs }) => {
            for (const log of logs) if (matches(log)) send(log.text);
          },
          end: () => share.close(),
        };
      }
      case 'newPendingTransactions': {
        if (this.context.view !== 'head') throw unavailable('newPendingTransactions', ' here');
        return { end: this.pendingNotifications.listen(wantsWhole(detail), send) };
      }
      case 'syncing':
        requireNoDetail(kind, detail);
        return { end: this.emitSyncing(send) };
      default:
        throw invalidParams(`unknown subscription "${kind}"; use newHeads, logs, newPendingTransactions or syncing`);
    }
  }

  /** Sends the sync status at the start and after each change. @returns a function that ends the subscription */
  private emitSyncing(send: (result: string) => void): () => void {
    const { api, view: name } = this.context;
    let last: boolean | undefined;
    const check = (): void => {
      const view = api.view(name);
      const isSyncing = api.peers.active > 0 && blocksBehind(api, view) > BEHIND_MAX;
      if (isSyncing === last) return;
      last = isSyncing;
      send(JSON.stringify(isSyncing ? { syncing: true, status: syncStatus(api, view) } : false));
    };
    // Runs after this turn of the event loop, so that the client receives the response with the subscription id before
    // the first notification.
    setImmediate(check);
    const timer = setInterval(check, SYNC_CHECK_MS);
    return () => clearInterval(timer);
  }
}

/**
 * Returns the notification of a subscription.
 * @param result result of the notification, as JSON
 */
function notification(id: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`;
}

/**
 * Reads a log filter. Ignores its block range, because a subscription sends only new logs.
 * @throws {RpcError | JavaError} the filter is malformed
 */
function logFilterOf(detail: Json, form: FilterForm): LogFilter {
  let request: FilterRequest | null;
  try {
    request = ethereumFilter(detail);
  } catch (error) {
    if (error instanceof ParameterKindError) throw invalidParams(`invalid filter: ${error.message}`);
    throw error;
  }
  return request === null ? { addresses: [], topics: [] } : readLogFilter(request, form);
}

/**
 * Checks that a subscription without options has none. Some clients send an empty object or false.
 * @throws {RpcError} the client requests an option, such as `{ includeTransactions: true }`
 */
function requireNoDetail(kind: string, detail: Json): void {
  const isEmpty = detail === null || detail === false || (detail instanceof Map && detail.size === 0);
  if (!isEmpty) throw invalidParams(`${kind} has no options; omit the second parameter`);
}

function wantsWhole(detail: Json): boolean {
  try {
    return flagParameter(detail) ?? false;
  } catch {
    throw invalidParams('the second parameter must be true (whole transactions) or false (ids)');
  }
}
