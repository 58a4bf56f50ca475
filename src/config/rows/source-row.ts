import { UsageError } from '../../primitives/errors.js';
import { readSasl, readTls } from '../../streams/sinks/kafka/kafka-options.js';
import type { LogSource } from '../../streams/sinks/kafka/read-log.js';
import { asObject, asText, type HoconValue } from '../hocon/hocon-value.js';
import { ConfigMembers } from '../members.js';
import { type ConfigKey, described, row } from '../row.js';

/** Makes the node a read replica: whose log it follows. */
export interface SourceOptions extends LogSource {
  /** HTTP port of a node that takes transactions; without one they are refused. */
  readonly submit?: string;
}

const KEY = 'tronicle.source';
const PREFIX = 'tronicle';

/** A text is its `url` alone. @throws {UsageError} naming the member */
export const sourceRow: ConfigKey<SourceOptions | undefined> = {
  ...row<SourceOptions | undefined>(
    KEY,
    'string | object',
    undefined,
    "makes the node a read replica, which follows the topic of another node's log instead of peers: its `url`, or an object",
    readSource,
  ),
  also: [
    described(
      `${KEY}.url`,
      'string',
      'absent',
      'kafka://<host>:<port>[,<host>:<port>…]/<prefix>; --source wins over it',
    ),
    described(
      `${KEY}.submit`,
      'string',
      'absent',
      'HTTP address of a node that transactions are passed on to, such as http://127.0.0.1:8090; absent: they are refused; --submit wins over it',
    ),
    { ...described(`${KEY}.tls`, 'object', 'absent', '{ enable, ca, cert, key } as of a Kafka sink'), open: true },
    {
      ...described(`${KEY}.sasl`, 'object', 'absent', '{ mechanism, username, password } as of a Kafka sink'),
      open: true,
    },
  ],
};

/** What the command line says wins. @throws {UsageError} a URL that is none; a node to submit to without a source */
export function withSourceFlags(
  source: SourceOptions | undefined,
  { url, submit }: { readonly url: string | undefined; readonly submit: string | undefined },
): SourceOptions | undefined {
  const named = url === undefined ? source : { ...source, ...parseSource(url, '--source') };
  if (submit === undefined) return named;
  if (named === undefined) throw new UsageError('--submit is for read replicas: it needs --source or tronicle.source');
  return { ...named, submit: httpUrl(submit, '--submit') };
}

function readSource(value: HoconValue, key: string): SourceOptions {
  if (value.kind === 'string') return parseSource(asText(value, key), key);
  const given = new ConfigMembers(asObject(value, key), key);
  const submit = given.text('submit');
  const [tls, sasl] = [readTls(given.object('tls')), readSasl(given.object('sasl'))];
  return {
    ...parseSource(given.required('url'), `${key}.url`),
    ...(submit && { submit: httpUrl(submit, `${key}.submit`) }),
    ...(tls && { tls }),
    ...(sasl && { sasl }),
  };
}

/** `URL` knows no list of hosts. */
function parseSource(text: string, key: string): Pick<LogSource, 'bootstrap' | 'prefix'> {
  const [, hosts, prefix = ''] = /^kafka:\/\/([^/\s]+)(?:\/([\w.-]*))?$/.exec(text) ?? [];
  const bootstrap = hosts?.split(',') ?? [];
  if (bootstrap.length === 0 || !bootstrap.every((host) => /^.+:\d{1,5}$/.test(host)))
    throw new UsageError(`Check ${key}, must be kafka://<host>:<port>[,<host>:<port>…]/<prefix>, actual: ${text}`);
  return { bootstrap, prefix: prefix === '' ? PREFIX : prefix };
}

function httpUrl(text: string, key: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`Check ${key}, must be an address such as http://127.0.0.1:8090, actual: ${text}`);
}
