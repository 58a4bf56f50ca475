import { DEFAULT_LIMITS } from '../../p2p/releases/peer-limits.js';
import { UsageError } from '../../primitives/errors.js';
import { asObjects, type HoconObject, originText } from '../hocon/hocon-value.js';
import { fileRulesOf } from '../release-defaults.js';
import { bool, type ConfigKey, double, int, type RowTree, row } from '../row.js';
import type { ConfigSource } from '../source.js';
import { tronicleRows } from './tronicle-rows.js';

/** Limit of one interface. `component` is the class of an HTTP handler, or `protocol.<Service>/<Method>`. */
interface InterfaceLimit {
  readonly component: string;
  readonly strategy: string;
  readonly paramString: string;
}

const MEMBERS = ['component', 'strategy', 'paramString'] as const;

/** Section `rate.limiter`. */
export const rateLimiterRows = {
  global: {
    qps: rate(
      'rate.limiter.global.qps',
      50_000,
      'maximum number of requests per second over HTTP, JSON-RPC and gRPC together; further requests are delayed',
    ),
    ip: {
      qps: rate(
        'rate.limiter.global.ip.qps',
        10_000,
        'maximum number of requests per second per source address; further requests are delayed',
      ),
    },
    api: {
      qps: rate(
        'rate.limiter.global.api.qps',
        1_000,
        'maximum number of requests per second of each API method without its own limit. Since release 4.8.2; in earlier releases, this key is ignored and the default applies',
      ),
    },
  },
  p2p: {
    syncBlockChain: messages('syncBlockChain', DEFAULT_LIMITS.summariesPerSecond, 'requests for block ids'),
    fetchInvData: messages('fetchInvData', DEFAULT_LIMITS.fetchesPerSecond, 'requests for blocks of a sync'),
    disconnect: messages('disconnect', DEFAULT_LIMITS.goodbyesPerSecond, 'disconnect messages'),
  },
  apiNonBlocking: bool(
    'rate.limiter.apiNonBlocking',
    false,
    'true: rejects calls above a limit at once instead of delaying them; since release 4.8.2',
  ),
  http: limits('rate.limiter.http', 'per HTTP handler class'),
  rpc: limits('rate.limiter.rpc', 'per gRPC method'),
} as const satisfies RowTree;

function messages(name: string, fallback: number, what: string): ConfigKey<number> {
  return double(
    `rate.limiter.p2p.${name}`,
    fallback,
    `maximum number of ${what} that a peer may send per second; since release 4.8.2`,
  );
}

/**
 * Creates the key of a rate limit. The reader rejects 0 and negative numbers. With such a number, java-tron starts, but
 * responds to no request.
 */
function rate(key: string, fallback: number, doc: string): ConfigKey<number> {
  const configKey = int(key, fallback, doc);
  const limits = 'must be above 0';
  return {
    ...configKey,
    limits,
    read: (source) => {
      const value = configKey.read(source);
      if (value <= 0) throw new UsageError(`Check ${key}, ${limits}, actual: ${value}`);
      return value;
    },
  };
}

/**
 * Creates the key of a list of limits. As in java-tron, release 4.7.2 ignores elements with a missing member, with a
 * warning, and release 4.8.2 does not start. If several elements have the same component, the last one applies.
 */
function limits(key: string, what: string): ConfigKey<readonly InterfaceLimit[]> {
  const doc = `rate limits ${what}: elements { ${MEMBERS.join(', ')} }`;
  const configKey = row<readonly InterfaceLimit[]>(key, 'object[]', [], doc, (value, at, source) => {
    const complete = asObjects(value, at).flatMap((object) => readLimit(object, at, source) ?? []);
    return [...new Map(complete.map((limit) => [limit.component, limit])).values()];
  });
  return { ...configKey, members: MEMBERS };
}

function readLimit(object: HoconObject, key: string, source: ConfigSource): InterfaceLimit | undefined {
  const texts = MEMBERS.map((name) => {
    const value = object.fields.get(name);
    return value === undefined || value.kind === 'list' || value.kind === 'object' || value.kind === 'null'
      ? undefined
      : value.text;
  });
  const [component, strategy, paramString] = texts;
  if (component !== undefined && strategy !== undefined && paramString !== undefined)
    return { component, strategy, paramString };
  const missing = MEMBERS.filter((_, at) => texts[at] === undefined);
  const place = originText(object.origin);
  if (fileRulesOf(tronicleRows.release.read(source)).bindsSections)
    throw new UsageError(
      missing.map((name) => `${place}: ${name}: No setting at '${name}', expecting: string`).join(', '),
    );
  source.warn(`${place}: an element of ${key} has no ${missing.join(', ')}, so it has no effect`);
  return undefined;
}
