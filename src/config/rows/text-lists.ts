import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { UsageError } from '../../primitives/errors.js';
import { asTexts } from '../hocon/hocon-value.js';
import { type ConfigKey, row } from '../row.js';

/** Rule for the elements of a list of texts. `form` describes the rule in error messages. */
interface TextForm {
  /** Type in the documentation. Default: `string[]`. */
  readonly type?: string;
  readonly isGood: (text: string) => boolean;
  readonly form: string;
}

/** `*`, or an origin of web pages. */
export const ORIGIN: TextForm = { isGood: isOrigin, form: 'must be "*" or an origin such as https://wallet.example' };
/** A host name or an IP address. */
export const HOST_NAME: TextForm = {
  isGood: isHostName,
  form: 'must be a host name or address without scheme and port',
};

/** A multiaddr (address format of js-libp2p) at which a node listens. */
export const LISTENING = multiaddr(/^\/ip[46]\/[^/]+\/tcp\/\d+(\/ws)?$/, '/ip4/0.0.0.0/tcp/18890/ws');
/** A multiaddr to which a node connects. */
export const DIALLED = multiaddr(
  /^\/(ip4|ip6|dns|dns4|dns6)\/[^/]+\/tcp\/\d+(\/tls)?(\/ws)?\/p2p\/[1-9A-HJ-NP-Za-km-z]+$/,
  '/ip4/192.0.2.1/tcp/18889/p2p/12D3KooW...',
);

function multiaddr(pattern: RegExp, example: string): TextForm {
  const type = `string[] such as ${example}`;
  return { type, isGood: (text) => pattern.test(text), form: `must have the form ${example}` };
}

/** Creates the key of a list of texts. The reader rejects a text of another form, which would have no effect. */
export function textsLike(
  key: string,
  { type = 'string[]', isGood, form }: TextForm,
  doc: string,
): ConfigKey<readonly string[]> {
  return row<readonly string[]>(key, type, [], doc, (value, at) => {
    const list = asTexts(value, at);
    const wrong = list.find((text) => !isGood(text));
    if (wrong !== undefined) throw new UsageError(`Check ${at}, ${form}, actual: ${wrong}`);
    return list;
  });
}

/** Returns true for `*`, and for an origin as browsers send it: `null`, or a URL without path and default port. */
function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true;
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // For schemes of other programs, such as browser extensions, the class URL returns the origin `null`.
  return origin === 'null' || origin === text;
}

/** Returns true for an IP address, and for a host name without a final dot. */
function isHostName(text: string): boolean {
  return isIP(text) !== 0 || /^[\w-]+(\.[\w-]+)*$/.test(text);
}

/** Returns the key `tronicle.dns.servers`. The reader rejects entries that are not IP addresses. */
export function dnsServers(): ConfigKey<readonly string[]> {
  return row<readonly string[]>(
    'tronicle.dns.servers',
    'string[] ip or ip:port',
    [],
    'DNS servers that resolve node.dns.treeUrls; if empty, public DNS servers are used, as in java-tron',
    (value, key) => {
      const servers = asTexts(value, key);
      try {
        new Resolver().setServers(servers);
      } catch (error) {
        throw new UsageError(`${key}: ${(error as Error).message}`);
      }
      return servers;
    },
  );
}

/** Creates the key of a list of names. The reader rejects duplicate names. */
export function names(key: string, doc: string): ConfigKey<readonly string[]> {
  return row<readonly string[]>(key, 'string[]', [], doc, (value, at) => {
    const all = asTexts(value, at);
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`Check ${at}, "${twice}" is listed twice`);
    return all;
  });
}
