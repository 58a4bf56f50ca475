import { UsageError } from '../../primitives/errors.js';
import { isBroker, readSasl, readTls } from '../../streams/sinks/kafka/kafka-options.js';
import type { LogSource } from '../../streams/sinks/kafka/read-log.js';
import { asObject, asText, type HoconValue } from '../hocon/hocon-value.js';
import { ConfigMembers } from '../members.js';
import { type ConfigKey, described, row } from '../row.js';

/** Settings of a read replica: the Kafka topic with the block log that the replica follows. */
export interface SourceOptions extends LogSource {
  /**
   * HTTP address of a node to which the replica forwards transactions. Without it, the replica rejects transactions.
   */
  readonly submit?: string;
}

const KEY = 'tronicle.source';
const PREFIX = 'tronicle';

/**
 * The log topic that a replica follows. The value is an object, or a text with only the URL.
 * @throws {UsageError} a member is invalid
 */
export const sourceRow: ConfigKey<SourceOptions | undefined> = {
  ...row<SourceOptions | undefined>(
    KEY,
    'string | object',
    undefined,
    'log topic of another node, as a URL or as an object with the keys below. If set, this node is a read replica, which follows the log topic instead of peers',
    readSource,
  ),
  also: [
    described(
      `${KEY}.url`,
      'string',
      'absent',
      'URL of the log topic: kafka://<host>:<port>[,<host>:<port>…]/<prefix>; --source overrides this key',
    ),
    described(
      `${KEY}.submit`,
      'string',
      'absent',
      'HTTP address of the node to which transactions are forwarded, such as http://127.0.0.1:8090. Without this key, the replica rejects transactions. --submit overrides this key',
    ),
    {
      ...described(
        `${KEY}.tls`,
        'object',
        'absent',
        'TLS options of the connection to Kafka: { enable, ca, cert, key }, as in tronicle.sinks.tls',
      ),
      open: true,
    },
    {
      ...described(
        `${KEY}.sasl`,
        'object',
        'absent',
        'authentication at Kafka: { mechanism, username, password }, as in tronicle.sinks.sasl',
      ),
      open: true,
    },
  ],
};

/**
 * Returns the source with the values of the flags, which take precedence.
 * @throws {UsageError} invalid URL, or `--submit` without a source
 */
export function withSourceFlags(
  source: SourceOptions | undefined,
  { url, submit }: { readonly url: string | undefined; readonly submit: string | undefined },
): SourceOptions | undefined {
  const named = url === undefined ? source : { ...source, ...parseSource(url, '--source') };
  if (submit === undefined) return named;
  if (named === undefined) throw new UsageError('--submit is only for read replicas; add --source or tronicle.source');
  return { ...named, submit: httpUrl(submit, '--submit') };
}

function readSource(value: HoconValue, key: string): SourceOptions {
  if (value.kind === 'string') return parseSource(asText(value, key), key);
  const members = new ConfigMembers(asObject(value, key), key);
  const submit = members.text('submit');
  const [tls, sasl] = [readTls(members.object('tls')), readSasl(members.object('sasl'))];
  return {
    ...parseSource(members.required('url'), `${key}.url`),
    ...(submit && { submit: httpUrl(submit, `${key}.submit`) }),
    ...(tls && { tls }),
    ...(sasl && { sasl }),
  };
}

/** Parses the URL with a pattern. JavaScript's class `URL` does not support a list of hosts. */
function parseSource(text: string, key: string): Pick<LogSource, 'bootstrap' | 'prefix'> {
  const [, hosts, prefix = ''] = /^kafka:\/\/([^/\s]+)(?:\/([\w.-]*))?$/.exec(text) ?? [];
  const bootstrap = hosts?.split(',') ?? [];
  // Omits the text, because it can contain a password.
  if (bootstrap.length === 0 || !bootstrap.every(isBroker))
    throw new UsageError(
      `Check ${key}, must be kafka://<host>:<port>[,<host>:<port>…]/<prefix>; a user name and a password belong in ${KEY}.sasl`,
    );
  return { bootstrap, prefix: prefix === '' ? PREFIX : prefix };
}

function httpUrl(text: string, key: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text;
  // Omits the text, because it can contain a password.
  throw new UsageError(`Check ${key}, must be an address such as http://127.0.0.1:8090, without a user name`);
}
