import { badMessage, type HttpAnswer } from '../error-pages.js';

/** What Node's parser tells of bytes that are no request. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** What came, and how far it was read. */
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
}

/**
 * Answer to what Node's parser refuses before anything else sees it, in the container's words.
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

/** Where the parser stopped. */
function characterOf({ rawPacket, bytesParsed }: ParserError): string | undefined {
  const byte = rawPacket?.[bytesParsed ?? -1];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** For blanks, line ends and control characters, which cannot stand anywhere. */
function illegalCharacter(error: ParserError): HttpAnswer | undefined {
  const char = characterOf(error);
  return char === undefined || char > ' ' ? undefined : badMessage(400, `Illegal character ${tokenOf(char)}`);
}

/** What a character is called. Reference: HttpTokens.Token */
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

/** Of a line that begins with no method that Node knows: it read as far as one of them begins so. */
function methodRefusal({ rawPacket, bytesParsed }: ParserError): HttpAnswer {
  const rest = Buffer.from(rawPacket?.subarray(bytesParsed) ?? []).toString('latin1');
  const [, name = '', next = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]*)([\s\S]?)/.exec(rest) ?? [];
  if (name.length > METHOD_BYTES_MAX) return badMessage(431, 'Request Header Fields Too Large');
  if (next === '\r' || next === '\n') return badMessage(400, 'No URI');
  return next === ' ' ? { status: 501 } : badMessage(400, `Illegal character ${tokenOf(next)}`);
}

/** Of a head. */
const METHOD_BYTES_MAX = 8192;

function isPath({ rawPacket }: ParserError): boolean {
  return / [/*]/.test(firstLine(rawPacket));
}

/** Whether the target alone is longer than a head may be. */
function isLongTarget({ rawPacket }: ParserError): boolean {
  return !/^\S+ \S+ /.test(firstLine(rawPacket));
}

/** A target that fills what a head may have, and the blank behind it. */
const LINE_BYTES_MAX = 8193;

function firstLine(bytes: Uint8Array | undefined): string {
  const text = Buffer.from(bytes?.subarray(0, LINE_BYTES_MAX) ?? []).toString('latin1');
  return text.split('\r\n')[0] ?? '';
}
