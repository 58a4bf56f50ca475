import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { answerFound } from '../../../../src/api/grpc/answer-call.js';
import {
  cachedGrpcMethod,
  type GrpcHandler,
  type GrpcMethod,
  GrpcStatusError,
  grpcMethod,
} from '../../../../src/api/grpc/grpc-method.js';
import { GrpcStatus } from '../../../../src/api/grpc/grpc-reply.js';
import { ReplyCache } from '../../../../src/api/grpc/known-replies.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { BytesMessage, NumberMessage } from '../../../../src/codec/generated/messages.js';

const viewAt = (headNumber: number): ChainView => ({ headNumber }) as ChainView;

/** Returns a counter of executed methods, functions that call a method, and three test methods. */
function setUp() {
  const known = new ReplyCache();
  let runs = 0;
  const answered = (num: number) => {
    runs++;
    return Object.assign(new NumberMessage(), { num: BigInt(num) });
  };
  const of = (handler: GrpcHandler): GrpcMethod => ({ ...handler, request: BytesMessage });
  const cached = of(
    cachedGrpcMethod(({ value }: BytesMessage, view) => answered(view.headNumber * 1000 + value.length)),
  );
  const done = of(grpcMethod(({ value }: BytesMessage, { view }) => answered(view.headNumber * 1000 + value.length)));
  const refused = of(
    cachedGrpcMethod(() => {
      runs++;
      throw new GrpcStatusError(GrpcStatus.INTERNAL, 'no');
    }),
  );
  const call = (found: GrpcMethod, view: ChainView, bytes: number, name = 'protocol.Wallet/Ask') => {
    const request = BytesMessage.encode(Object.assign(new BytesMessage(), { value: new Uint8Array(bytes) }));
    const made = {
      api: { settings: { release: apiRelease('4.7.2') } } as never,
      view,
      remembered: new RememberedIds(),
    };
    return answerFound(found, name, request, () => made, { known }) as Exclude<
      ReturnType<typeof answerFound>,
      Promise<unknown>
    >;
  };
  const number = (...args: Parameters<typeof call>): number => Number(NumberMessage.decode(call(...args).bytes).num);
  return { call, number, requested: cached, done, refused, runs: () => runs };
}

t.test('executes a request once per view', async (t) => {
  const { number, requested: request, runs } = setUp();
  const view = viewAt(1);
  t.equal(number(request, view, 3), 1003);
  t.equal(number(request, view, 3), 1003);
  t.equal(runs(), 1);
  t.equal(number(request, view, 4), 1004, 'a request with other bytes is executed');
  t.equal(number(request, view, 3, 'protocol.Wallet/Other'), 1003, 'another method is executed');
  t.equal(runs(), 3);
});

t.test('executes a request again for another view at the same height', async (t) => {
  const { number, requested: request, runs } = setUp();
  t.equal(number(request, viewAt(1), 3), 1003);
  t.equal(number(request, viewAt(2), 3), 2003);
  t.equal(number(request, viewAt(2), 3), 2003);
  t.equal(runs(), 3);
});

t.test('does not cache malformed or rejected requests', async (t) => {
  const { call, number, done, refused, runs } = setUp();
  const view = viewAt(1);
  for (let time = 0; time < 2; time++) {
    t.equal(number(done, view, 3), 1003);
    t.match(call(refused, view, 3), { status: GrpcStatus.INTERNAL, details: 'no' });
  }
  t.equal(runs(), 4);
});

t.test('does not cache long requests and bounds the cache size', async (t) => {
  const { number, requested: request, runs } = setUp();
  const view = viewAt(1);
  number(request, view, 300);
  number(request, view, 300);
  t.equal(runs(), 2);
  // The cache of 8 MiB stores about 19,000 of these responses. So 40,000 further requests evict the first one.
  number(request, view, 200);
  for (let at = 0; at < 40_000; at++) number(request, view, 200, `protocol.Wallet/Ask${at}`);
  const before = runs();
  number(request, view, 200, 'protocol.Wallet/Ask39999');
  t.equal(runs(), before);
  number(request, view, 200);
  t.equal(runs(), before + 1);
});
