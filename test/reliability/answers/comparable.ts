import type { Question, Reply } from './question.js';

/**
 * Error texts of Java 17 with the corresponding texts of Java 8. The compared java-tron may run on Java 17, but
 * java-tron is normally run on Java 8.
 */
const LATER_JAVA: readonly (readonly [later: RegExp, earlier: string])[] = [
  [/Cannot parse null string(: null)?/g, 'null'],
  [/(For input string: .*?) under radix \d+/g, '$1'],
  [
    /Character array is missing \\?"e\\?" notation exponential mark\.|Character array [^"\\]*\.|Not a digit\.|No (?:exponent digits|digits found)\.|Too many nonzero exponent digits\.|Exponent overflow\./g,
    'null',
  ],
  [/class (\S+) cannot be cast to class (\S+) \([^)]*\)/g, '$1 cannot be cast to $2'],
  [
    /Character .{1,10} is neither a decimal digit number, decimal point, nor \\?"e\\?" notation exponential mark\./g,
    'null',
  ],
  [/(?<=exception decoding Hex string: )Index (-?\d+) out of bounds for length 128/g, '$1'],
  [/arraycopy: last destination index \d+ out of bounds for byte\[\d+\]/g, 'null'],
  [/Index (-?\d+) out of bounds for length 128/g, 'exception decoding Hex string: $1'],
];

/**
 * Matches responses in which the HTTP server refuses a method, does not know a path, or redirects a path such as
 * `/wallet` to `/wallet/`. In java-tron, its servlet container sends these responses. This node does not imitate their
 * status, headers and text (`docs/differences.md`).
 */
const REFUSALS = /^(?:302|404|405|501) /;
/** Matches the identity hash of a Java object in an error page. */
const IDENTITY = /((?:SERVLET:<\/th><td>|SERVLET: |"servlet":")[^<"\n]*-)[0-9a-f]+/g;
const HOUR_MS = 3_600_000n;

/**
 * Returns the parts of a response that must be equal on both nodes, as one text.
 * @param isJava true to replace the texts of Java 17 by those of Java 8
 */
export function comparable(question: Question, { shape, body }: Reply, isJava: boolean): string {
  if (question.protocol === 'http' && REFUSALS.test(shape)) return 'refused by the HTTP server';
  if (question.protocol === 'http' && question.method === 'OPTIONS') return shape.replace('TRACE, ', '');
  if (isRandom(question, body)) return shape;
  let text = body.replace(IDENTITY, '$1').replace(/<ByteString@[0-9a-f]+ /g, '<ByteString ');
  if (isJava) text = asEarlierJava(text);
  text = inHex(text, isJava);
  text = withoutClock(text, question);
  text = withoutFilterIds(text, question);
  return `${shape} ${text}`;
}

/** Replaces texts of Java 17 by those of Java 8. */
export function asEarlierJava(text: string): string {
  return LATER_JAVA.reduce((changed, [later, earlier]) => changed.replace(later, earlier), text);
}

const RANDOM_PATHS =
  /\/(createspendauthsig|getspendingkey|getdiversifier|getrcm|getnewshieldedaddress|getnodeinfo|getstatsinfo|listnodes)\b/;
const RANDOM_RPCS =
  /\/(CreateSpendAuthSig|GetSpendingKey|GetDiversifier|GetRcm|GetNewShieldedAddress|GetNodeInfo|GetStatsInfo|ListNodes)$/;

/** Returns true if the response contains random values or values that depend on the machine. */
function isRandom({ protocol, path }: Question, body: string): boolean {
  if (protocol === 'http') return RANDOM_PATHS.test(path) && !body.includes('"Error"');
  return protocol === 'grpc' && RANDOM_RPCS.test(path);
}

/** Removes filter ids of JSON-RPC, because each node chooses them at random. */
function withoutFilterIds(text: string, { protocol, body }: Question): string {
  if (protocol !== 'jsonrpc' || !/"eth_new(?:Block)?Filter"/.test(body?.toString() ?? '')) return text;
  return text.replace(/("result":"0x)[0-9a-f]{32}(?=")/g, '$1');
}

/** Decodes messages that are encoded in hex. Replaces the texts of Java 17 in them by those of Java 8. */
function inHex(text: string, isJava: boolean): string {
  return text.replace(/(?<="message": ?")[0-9a-f]{20,}(?=")/g, (hex) => {
    let inner = Buffer.from(hex, 'hex').toString('latin1');
    if (isJava) inner = asEarlierJava(inner);
    return `<${inner}>`;
  });
}

/** Removes the creation time and the id of a transaction, and the values that are computed from them. */
function withoutClock(text: string, { protocol, body }: Question): string {
  let isFresh = false;
  const masked = text
    .replace(/("timestamp": ?)(\d{13})(?!\d)/g, (whole, name: string, time: string) => {
      if (!isNow(BigInt(time))) return whole;
      isFresh = true;
      return `${name}now`;
    })
    .replace(/70((?:[89a-f][0-9a-f]){5}[0-9a-f]{2})/g, (whole, hex: string) => {
      if (!isNow(varintOf(Buffer.from(hex, 'hex')))) return whole;
      isFresh = true;
      return '70<now>';
    });
  const requestText = (protocol === 'grpc' ? body?.toString('hex') : body?.toString()) ?? '';
  if (!isFresh && !/"eth_(call|estimateGas)"/.test(requestText)) return text;
  // The address of a contract that a call creates depends on the transaction id, so it is removed too.
  return (
    masked
      .replace(/("txI[Dd]": ?")[0-9a-f]{64}/g, '$1')
      .replace(/("contract_address": ?")[0-9A-Za-z]{34,42}(?="(?:,"(?:visible|raw|txID|trans|sign|ret))|"})/g, '$1')
      .replace(/("hash": ?")[0-9a-f]{64}/g, '$1')
      .replace(/0a20[0-9a-f]{64}(?=1215)/g, '0a20<id>')
      .replace(/1220[0-9a-f]{64}/g, '1220<id>')
      .replace(/((?:15|"|0{22})41)([0-9a-f]{40})/g, (whole, before: string, address: string) =>
        requestText.toLowerCase().includes(address) ? whole : `${before}<new>`,
      )
      .replace(/"(T[1-9A-HJ-NP-Za-km-z]{33})"/g, (whole, address: string) =>
        requestText.includes(address) ? whole : '"<new>"',
      )
      // In logs, addresses have no prefix byte, so their Base58Check text does not start with T.
      .replace(
        /("address": ?")([1-9A-HJ-NP-Za-km-z]{25,34})(?=", ?"(?:data|topics)")/g,
        (whole, before: string, address: string) => (requestText.includes(address) ? whole : `${before}<new>`),
      )
      .replace(
        /("address": ?"|0a14)([0-9a-f]{40})(?=", ?"(?:data|topics)|1220|1a)/g,
        (whole, before: string, address: string) =>
          requestText.toLowerCase().includes(address) ? whole : `${before}<new>`,
      )
  );
}

function isNow(time: bigint): boolean {
  const now = BigInt(Date.now());
  return time > now - HOUR_MS && time < now + HOUR_MS;
}

function varintOf(bytes: Buffer): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n);
}
