import type { ApiRelease } from '../releases/api-release.js';

/** Answer of a server to one request. */
export interface HttpAnswer {
  readonly status: number;
  /** Content-Type; undefined: none. */
  readonly type?: string;
  readonly allow?: string;
  readonly location?: string;
  readonly body?: string;
  /** The connection ends with this answer. */
  readonly close?: true;
}

export const JSON_TYPE = 'application/json;charset=utf-8';
const HTML_TYPE = 'text/html;charset=iso-8859-1';

/** What stands for the identity of a handler object in pages. */
const IDENTITY = '1';

/**
 * The container's page for a path without handler, or a method that a handler lacks. Reference: Jetty's ErrorHandler.
 */
export function errorPage(
  { jetty }: ApiRelease,
  status: number,
  message: string,
  uri: string,
  servlet: string | undefined,
): HttpAnswer {
  const name = servlet === undefined ? '-' : `${servlet}-${IDENTITY}`;
  const row = (title: string, text: string | number): string => `<tr><th>${title}:</th><td>${text}</td></tr>`;
  const body = [
    '<html>',
    '<head>',
    '<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>',
    `<title>Error ${status} ${message}</title>`,
    '</head>',
    `<body><h2>HTTP ERROR ${status} ${message}</h2>`,
    '<table>',
    row('URI', escapeHtml(uri)),
    row('STATUS', status),
    row('MESSAGE', message),
    row('SERVLET', name),
    '</table>',
    `<hr/><a href="${jetty.url}">Powered by Jetty:// ${jetty.version}</a><hr/>`,
    '',
    '</body>',
    '</html>',
    '',
  ];
  return { status, type: HTML_TYPE, body: body.join('\n') };
}

/** Answer to what is no request. */
export function badMessage(status: number, reason: string): HttpAnswer {
  return { status, type: HTML_TYPE, body: `<h1>Bad Message ${status}</h1><pre>reason: ${reason}</pre>`, close: true };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
