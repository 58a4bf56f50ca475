import { badMessage, type HttpAnswer } from '../error-pages.js';

/** Error of Node's HTTP parser. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** Received bytes, and the number of bytes that were parsed. */
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
}

/**
 * Returns Jetty's response to bytes that Node's HTTP parser refuses.
 * Reference: Jetty's HttpParser.
 */
export function parserRefusal(error: ParserError): HttpAnswer {
  const answer = refusalOf(error);
  return firstLine(error.rawPacket).startsWith('HEAD ') ? { ...answer, body: '' } : answer;
}

function refusalOf(error: ParserError): HttpAnswer {
  const { code = '', reason = '' } = error;
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return methodRefusal(error);
    case 'HPE_INVALID_URL':
      return illegalCharacter(error) ?? badMessage(400, isPath(error) ? 'Bad Request' : 'Bad URI');
    case 'HPE_INVALID_VERSION':
      if (characterOf(error) === '\r') return badMessage(505, 'Unknown Version');
      return illegalCharacter(error) ?? badMessage(505, 'Unknown Version');
    case 'HPE_INVALID_CONSTANT':
      if (characterOf(error) === '\r') return badMessage(400, 'HTTP/0.9 not supported');
      return badMessage(505, 'Unknown Version');
    case 'HPE_INVALID_CONTENT_LENGTH':
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return badMessage(400, bodyRefusal(code, reason));
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return badMessage(400, 'Multiple Content-Lengths');
    case 'HPE_INVALID_HEADER_TOKEN':
      if (reason.startsWith('Unexpected whitespace') || characterOf(error) === ':')
        return badMessage(400, 'Header Folding');
      return badMessage(400, `Illegal character ${tokenOf(characterOf(error) ?? '')}`);
    case 'HPE_LF_EXPECTED':
      return badMessage(400, 'Bad EOL');
    case 'HPE_PAUSED_H2_UPGRADE':
      return badMessage(426, 'Upgrade Required');
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(error) ? badMessage(414, 'URI Too Long') : badMessage(431, 'Request Header Fields Too Large');
    default:
      return badMessage(400, 'Bad Request');
  }
}

function bodyRefusal(code: string, reason: string): string {
  if (/can't be present/.test(reason)) return 'Transfer-Encoding and Content-Length';
  return code === 'HPE_INVALID_CONTENT_LENGTH'
    ? 'Invalid Content-Length Value'
    : 'Bad Transfer-Encoding, chunked not last';
}

/** Returns the character at which the parser stopped. */
function characterOf({ rawPacket, bytesParsed }: ParserError): string | undefined {
  const byte = rawPacket?.[bytesParsed ?? -1];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** Refuses whitespace, line ends and control characters in places where they are not allowed. */
function illegalCharacter(error: ParserError): HttpAnswer | undefined {
  const char = characterOf(error);
  return char === undefined || char > ' ' ? undefined : badMessage(400, `Illegal character ${tokenOf(char)}`);
}

/** Returns Jetty's name of a character. Reference: HttpTokens.Token */
function tokenOf(char: string): string {
  const code = char.charCodeAt(0);
  const hex = `0x${code.toString(16)}`;
  if (code >= 0x80) return `OTEXT=${hex}`;
  return TOKENS[char] ?? (code < 0x20 || code === 0x7f ? `CNTL=${hex}` : `VCHAR='${char}'`);
}

const TOKENS: Readonly<Record<string, string>> = {
  ' ': "SPACE=' '",
  '\t': 'HTAB=0x9',
  '\r': 'LF=\\n',
  '\n': 'LF=\\n',
};

/** Refuses a request line whose method Node does not know. Node stops at the first byte that fits no known method. */
function methodRefusal({ rawPacket, bytesParsed }: ParserError): HttpAnswer {
  const rest = Buffer.from(rawPacket?.subarray(bytesParsed) ?? []).toString('latin1');
  const [, name = '', next = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]*)([\s\S]?)/.exec(rest) ?? [];
  if (name.length > METHOD_BYTES_MAX) return badMessage(431, 'Request Header Fields Too Large');
  if (next === '\r' || next === '\n') return badMessage(400, 'No URI');
  return next === ' ' ? { status: 501 } : badMessage(400, `Illegal character ${tokenOf(next)}`);
}

/** Jetty's header limit, in bytes, which also limits the method. */
const METHOD_BYTES_MAX = 8192;

function isPath({ rawPacket }: ParserError): boolean {
  return / [/*]/.test(firstLine(rawPacket));
}

/** Returns true if the request target alone exceeds the header limit. */
function isLongTarget({ rawPacket }: ParserError): boolean {
  return !/^\S+ \S+ /.test(firstLine(rawPacket));
}

/** Maximum size of a target that fits the header limit, with the space after it, in bytes. */
const LINE_BYTES_MAX = 8193;

function firstLine(bytes: Uint8Array | undefined): string {
  const text = Buffer.from(bytes?.subarray(0, LINE_BYTES_MAX) ?? []).toString('latin1');
  return text.split('\r\n')[0] ?? '';
}
