import t from 'tap';
import type { Json } from '../../../../../src/api/jsonrpc/json-text.js';
import type { RpcContext } from '../../../../../src/api/jsonrpc/methods/rpc-context.js';
import type { ChainEvents } from '../../../../../src/api/jsonrpc/subscriptions/chain-events.js';
import { type Subscriber, Subscriptions } from '../../../../../src/api/jsonrpc/subscriptions/subscriptions.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import { ByteBudget } from '../../../../../src/primitives/byte-budget.js';

interface Client extends Subscriber {
  isDropped: boolean;
}

function client(): Client {
  const made: Client = {
    isDropped: false,
    send: () => undefined,
    drop: () => {
      made.isDropped = true;
    },
    fail: () => undefined,
  };
  return made;
}

const logs = (count: number): Json =>
  new Map([['address', Array.from({ length: count }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)]]);

t.test('closes the connection whose subscriptions have the most addresses', (t) => {
  const settings = { release: apiRelease('4.8.2'), rpcLimits: NO_RPC_LIMITS };
  const context = { api: { settings }, view: 'head' } as unknown as RpcContext;
  let listeners = 0;
  const events = {
    listen: () => {
      listeners++;
      return () => listeners--;
    },
  } as unknown as ChainEvents;
  const budget = new ByteBudget({ bytesMax: 20_000 });
  const subscriptions = new Subscriptions(context, events, budget);
  const call = (owner: Subscriber, name: string, ...values: unknown[]): unknown =>
    new Map(subscriptions.methodsFor(owner)).get(name)?.run(...values);
  const [small, large] = [client(), client()];
  const id = call(small, 'eth_subscribe', 'logs', logs(10));
  for (let i = 0; i < 5; i++) call(large, 'eth_subscribe', 'logs', logs(30));
  t.same([small.isDropped, large.isDropped], [false, true]);
  subscriptions.drop(large);
  t.throws(() => call(large, 'eth_unsubscribe', id), { message: 'subscription not found' });
  t.equal(call(small, 'eth_unsubscribe', id), true);
  t.equal(budget.bytes, 0);
  t.equal(listeners, 0, 'the chain is followed only while subscriptions exist');
  for (let i = 0; i < 128; i++) call(small, 'eth_subscribe', 'newHeads', null);
  t.equal(listeners, 1);
  t.throws(() => call(small, 'eth_subscribe', 'newHeads', null), { message: /too many subscriptions/ });
  t.doesNotThrow(() => call(large, 'eth_subscribe', 'newHeads', null));
  t.end();
});
