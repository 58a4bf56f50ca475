import type { ApiRelease } from '../releases/api-release.js';
import { acceptedValues, rankOfType } from './accepted.js';
import type { IncomingRequest } from './incoming-request.js';

/** Answer of a server to one request. */
export interface HttpAnswer {
  readonly status: number;
  /** Of the status line; undefined: what the status is called. */
  readonly reason?: string;
  /** Content-Type; undefined: none. */
  readonly type?: string;
  /** Nobody is to keep it. */
  readonly isFleeting?: true;
  readonly allow?: string;
  readonly location?: string;
  readonly body?: string;
  /** The connection ends with this answer, which says so. */
  readonly close?: true;
}

export const JSON_TYPE = 'application/json;charset=utf-8';
const HTML_TYPE = 'text/html;charset=iso-8859-1';

/** What stands for the identity of a handler object in pages. */
const IDENTITY = '1';

/** What an error page tells. */
interface ErrorFacts {
  readonly status: number;
  readonly message: string;
  readonly uri: string;
  /** Class of the handler; undefined where the request came to none. */
  readonly servlet?: string | undefined;
}

/**
 * The container's page for a path without handler, or a method that a handler lacks, in the form that the client likes
 * best; without one where it takes none of them, and for methods whose errors are told by the status alone. Reference:
 * Jetty's ErrorHandler.
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

/** Whether errors of a method are told in a page. */
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

/**
 * Of all that the client takes the last one, as the reference has it; undefined where it takes none that is known here.
 */
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

/** Members in the order of the reference's hash map. */
function jsonOf({ status, message, uri, servlet }: ErrorFacts): string {
  const members = [
    ...(servlet === undefined ? [] : [['servlet', servlet]]),
    ...[['message', message], ['url', uri], ['status', String(status)]],
  ].map(([name = '', value = '']) => `"${name}":${JSON.stringify(escapeXml(value))}`); // biome-ignore format: a table
  return `{\n${members.join(',\n')}\n}`;
}

/** Answer to what is no request. */
export function badMessage(status: number, reason: string): HttpAnswer {
  return { ...shortPage(status, reason), close: true };
}

/** What stands for a page where no handler was asked. */
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
