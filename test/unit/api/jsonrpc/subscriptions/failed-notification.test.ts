import t from 'tap';
import type { RpcContext } from '../../../../../src/api/jsonrpc/methods/rpc-context.js';
import type { ChainEvent, ChainEvents } from '../../../../../src/api/jsonrpc/subscriptions/chain-events.js';
import { type Subscriber, Subscriptions } from '../../../../../src/api/jsonrpc/subscriptions/subscriptions.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import { TransactionInfo, TransactionInfoLog } from '../../../../../src/codec/generated/messages.js';

/** A block with one log. */
const event = {
  isReverted: false,
  content: {
    block: { number: 1, id: new Uint8Array(32), timeMs: 0 },
    infos: [
      Object.assign(new TransactionInfo(), {
        log: [Object.assign(new TransactionInfoLog(), { address: new Uint8Array(20) })],
      }),
    ],
  },
} as unknown as ChainEvent;

t.test('closes only the connection to which a notification could not be sent', (t) => {
  const settings = { release: apiRelease('4.8.2'), rpcLimits: NO_RPC_LIMITS };
  const context = { api: { settings }, view: 'head' } as unknown as RpcContext;
  let emit: (event: ChainEvent) => void = () => undefined;
  const errors: unknown[] = [];
  const events = {
    listen: (_: unknown, listener: typeof emit) => {
      emit = listener;
      return () => undefined;
    },
    notSent: (error: unknown) => errors.push(error),
  } as unknown as ChainEvents;
  const subscriptions = new Subscriptions(context, events);
  const calls: string[] = [];
  const error = new Error('the socket failed');
  const subscribe = (name: string, isBroken: boolean): void => {
    const owner: Subscriber = {
      send: () => {
        calls.push(`send ${name}`);
        if (isBroken) throw error;
      },
      drop: () => undefined,
      fail: () => calls.push(`fail ${name}`),
    };
    new Map(subscriptions.methodsFor(owner)).get('eth_subscribe')?.run('logs', new Map());
  };
  for (const name of ['first', 'broken', 'last']) subscribe(name, name === 'broken');
  emit(event);
  emit(event);
  t.strictSame(calls, ['send first', 'send broken', 'fail broken', 'send last', 'send first', 'send last']);
  t.strictSame(errors, [error]);
  t.end();
});
