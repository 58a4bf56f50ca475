/** The same methods; each result is counted with the time that it took. Reference: MetricInterceptor. */
export function timedMethods(methods, observer) {
    return new Map([...methods].map(([name, method]) => [name, timed(name, method, observer)]));
}
/** Failures are not counted. */
function timed(name, method, observer) {
    return {
        ...method,
        run: (...values) => {
            const started = performance.now();
            const done = (result) => {
                observer.rpcMethodDone(name, (performance.now() - started) / 1000);
                return result;
            };
            const result = method.run(...values);
            return result instanceof Promise ? result.then(done) : done(result);
        },
    };
}
//# sourceMappingURL=timed-methods.js.map