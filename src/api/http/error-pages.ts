import type { ApiRelease } from '../releases/api-release.js';
import { acceptedValues, rankOfType } from './accepted.js';
import type { IncomingRequest } from './incoming-request.js';

/** Response of a server to a request. */
export interface HttpAnswer {
  readonly status: number;
  /** Reason phrase of the status line; undefined: the default phrase of the status. */
  readonly reason?: string;
  /** Content-Type; undefined: no header. */
  readonly type?: string;
  /** True if caches must not store the response. */
  readonly isFleeting?: true;
  readonly allow?: string;
  readonly location?: string;
  readonly body?: string;
  /** True to close the connection after this response, with the header that announces it. */
  readonly close?: true;
}

export const JSON_TYPE = 'application/json;charset=utf-8';
const HTML_TYPE = 'text/html;charset=iso-8859-1';

/** Hash code of the handler object, as shown in error pages. */
const IDENTITY = '1';

/** Content of an error page. */
interface ErrorFacts {
  readonly status: number;
  readonly message: string;
  readonly uri: string;
  /** Class of the handler; undefined if no handler served the request. */
  readonly servlet?: string | undefined;
}

/**
 * Returns Jetty's error page for a path without a handler, or for an unsupported method. Uses the format that the
 * client prefers. The page is empty if the client accepts none of the formats, or if Jetty writes no page for the
 * method.
 * Reference: Jetty's ErrorHandler.
 */
export function errorPage(
  release: ApiRelease,
  request: Pick<IncomingRequest, 'method' | 'rawHeaders'>,
  { status, message, uri, servlet }: ErrorFacts,
): HttpAnswer {
  if (!hasPages(request.method)) return { status };
  const about = { status, isFleeting: true } as const;
  const charset = charsetFor(request);
  const accepted = acceptedValues(request, 'accept', rankOfType) ?? ['text/html'];
  const type = accepted.find((value) => FORMS.has(value));
  if (charset === undefined || type === undefined) return about;
  const facts = { status, message, uri, servlet: servlet === undefined ? undefined : `${servlet}-${IDENTITY}` };
  switch (FORMS.get(type)) {
    case 'json':
      return { ...about, type, body: jsonOf(facts) };
    case 'plain':
      return { ...about, type: `text/plain;charset=${charset.toLowerCase()}`, body: plainOf(facts) };
    default:
      return { ...about, type: `text/html;charset=${charset.toLowerCase()}`, body: htmlOf(release, facts, charset) };
  }
}

/** Returns true if Jetty writes error pages for an HTTP method. */
export function hasPages(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'POST';
}

const FORMS: ReadonlyMap<string, 'html' | 'json' | 'plain'> = new Map([
  ['text/html', 'html'],
  ['text/*', 'html'],
  ['*/*', 'html'],
  ['text/json', 'json'],
  ['application/json', 'json'],
  ['text/plain', 'plain'],
]);

const CHARSETS: ReadonlyMap<string, string> = new Map(
  ['UTF-8', 'ISO-8859-1', 'US-ASCII'].map((name) => [name.toLowerCase(), name]),
);

/** Returns the last supported encoding that the client accepts, as Jetty does; undefined if none is supported. */
function charsetFor(request: Pick<IncomingRequest, 'rawHeaders'>): string | undefined {
  const accepted = acceptedValues(request, 'accept-charset') ?? [];
  if (accepted.length === 0) return 'ISO-8859-1';
  let found: string | undefined;
  for (const name of accepted) {
    if (name === '*') return 'UTF-8';
    found = CHARSETS.get(name.toLowerCase()) ?? found;
  }
  return found;
}

function htmlOf({ jetty }: ApiRelease, { status, message, uri, servlet = '-' }: ErrorFacts, charset: string): string {
  const row = (title: string, text: string | number): string => `<tr><th>${title}:</th><td>${text}</td></tr>`;
  return [
    '<html>',
    '<head>',
    `<meta http-equiv="Content-Type" content="text/html;charset=${charset}"/>`,
    `<title>Error ${status} ${message}</title>`,
    '</head>',
    `<body><h2>HTTP ERROR ${status} ${message}</h2>`,
    '<table>',
    row('URI', escapeXml(uri)),
    row('STATUS', status),
    row('MESSAGE', message),
    row('SERVLET', servlet),
    '</table>',
    `<hr/><a href="${jetty.url}">Powered by Jetty:// ${jetty.version}</a><hr/>`,
    '',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function plainOf({ status, message, uri, servlet = 'null' }: ErrorFacts): string {
  const lines = [`HTTP ERROR ${status} ${message}`, `URI: ${uri}`, `STATUS: ${status}`, `MESSAGE: ${message}`];
  return [...lines, `SERVLET: ${servlet}`, ''].join('\n');
}

/** Writes the members in the order of java-tron's hash map. */
function jsonOf({ status, message, uri, servlet }: ErrorFacts): string {
  const members = [
    ...(servlet === undefined ? [] : [['servlet', servlet]]),
    ...[['message', message], ['url', uri], ['status', String(status)]],
  ].map(([name = '', value = '']) => `"${name}":${JSON.stringify(escapeXml(value))}`); // biome-ignore format: a table
  return `{\n${members.join(',\n')}\n}`;
}

/** Returns the response to bytes that are not a valid HTTP request. */
export function badMessage(status: number, reason: string): HttpAnswer {
  return { ...shortPage(status, reason), close: true };
}

/** Returns the short error page that Jetty sends before any handler runs. */
export function shortPage(status: number, reason: string): HttpAnswer {
  const body = `<h1>Bad Message ${status}</h1><pre>reason: ${reason}</pre>`;
  return { status, reason, type: HTML_TYPE, body };
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
