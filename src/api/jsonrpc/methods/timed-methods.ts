import type { ApiObserver } from '../../metrics/api-metrics.js';
import type { RpcMethod, RpcMethods } from '../envelope.js';

/**
 * Returns the methods with a counter: each successful call is counted with its duration. Reference: MetricInterceptor.
 */
export function timedMethods(methods: RpcMethods, observer: ApiObserver): RpcMethods {
  return new Map([...methods].map(([name, method]) => [name, timed(name, method, observer)]));
}

/** Returns the method with a counter. Failed calls are not counted. */
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
