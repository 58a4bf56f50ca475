import type { ApiObserver } from '../../metrics/api-metrics.js';
import type { RpcMethod, RpcMethods } from '../envelope.js';

/** The same methods; each result is counted with the time that it took. Reference: MetricInterceptor. */
export function timedMethods(methods: RpcMethods, observer: ApiObserver): RpcMethods {
  return new Map([...methods].map(([name, method]) => [name, timed(name, method, observer)]));
}

/** Failures are not counted. */
function timed(name: string, method: RpcMethod, observer: ApiObserver): RpcMethod {
  return {
    ...method,
    run: (...values) => {
      const started = performance.now();
      const done = (result: unknown): unknown => {
        observer.rpcMethodDone(name, (performance.now() - started) / 1000);
        return result;
      };
      const result = method.run(...values);
      return result instanceof Promise ? result.then(done) : done(result);
    },
  };
}
