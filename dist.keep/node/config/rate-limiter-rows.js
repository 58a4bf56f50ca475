import { UsageError } from '../../log/domain/errors.js';
import { asObjects } from './hocon-value.js';
import { int, row } from './row.js';
const MEMBERS = ['component', 'strategy', 'paramString'];
/** Section `rate.limiter`. */
export const rateLimiterRows = {
    global: {
        qps: rate('rate.limiter.global.qps', 50_000, 'requests per second over HTTP, JSON-RPC and gRPC together; more wait'),
        ip: { qps: rate('rate.limiter.global.ip.qps', 10_000, 'the same per source address') },
    },
    http: limits('rate.limiter.http', 'by HTTP handler class'),
    rpc: limits('rate.limiter.rpc', 'by gRPC method'),
};
/** The reference starts with any number, and then answers nothing. @throws {UsageError} 0 or less */
function rate(key, fallback, doc) {
    const made = int(key, fallback, doc);
    const limits = 'must be above 0';
    return {
        ...made,
        limits,
        read: (source) => {
            const value = made.read(source);
            if (value <= 0)
                throw new UsageError(`Check ${key}, ${limits}, actual: ${value}`);
            return value;
        },
    };
}
/** An element that lacks a member is dropped; of two for one component the later one counts. */
function limits(key, what) {
    const doc = `limits ${what}: elements { ${MEMBERS.join(', ')} }`;
    const made = row(key, 'object[]', [], doc, (value, at) => {
        const complete = asObjects(value, at).flatMap((object) => readLimit(object) ?? []);
        return [...new Map(complete.map((limit) => [limit.component, limit])).values()];
    });
    return { ...made, members: MEMBERS };
}
function readLimit(object) {
    const [component, strategy, paramString] = MEMBERS.map((name) => {
        const value = object.fields.get(name);
        return value === undefined || value.kind === 'list' || value.kind === 'object' || value.kind === 'null'
            ? undefined
            : value.text;
    });
    if (component === undefined || strategy === undefined || paramString === undefined)
        return undefined;
    return { component, strategy, paramString };
}
//# sourceMappingURL=rate-limiter-rows.js.map