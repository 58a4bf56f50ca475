import type { FastifyInstance } from 'fastify';
import { routesOf } from '../../src/api/http/route-table.js';
import { apiRelease } from '../../src/api/releases/releases.js';
import { type ServerName, serverNames } from '../../src/api/servers.js';
import { mutateText, object, value } from './json-cases.js';
import type { Random } from './random.js';

const routes = serverNames.flatMap((server) =>
  [...routesOf(server, apiRelease('4.7.2')).values()].map((route) => ({ server, route })),
);
const METHODS = ['POST', 'POST', 'POST', 'POST', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const;
/** Handlers that answer a malformed request with an empty body, as java-tron does. */
const SILENT = new Set(['ValidateAddress']);
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
];

/** Sends one malformed request over HTTP. @returns a text if the answer is wrong, otherwise undefined */
export async function tryHttp(
  apps: ReadonlyMap<ServerName, FastifyInstance>,
  random: Random,
): Promise<string | undefined> {
  const { server, route } = random.pick(routes);
  const names = [...Object.keys(route.reads), 'visible'];
  const method = random.pick(METHODS);
  const payload = method === 'POST' || random.chance(0.1) ? mutateText(object(names, random), random) : undefined;
  const url = route.path + query(names, random);
  const type = random.pick(TYPES);
  const reply = await apps.get(server)!.inject({
    method: method as 'GET',
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: type === '' ? {} : { 'content-type': type },
  });
  const shown = `${method} ${url} ${type} ${payload?.toString('latin1').slice(0, 300) ?? ''}`;
  const { statusCode } = reply;
  if (![200, 400, 404, 405].includes(statusCode)) return `status ${statusCode} for ${shown}`;
  const answers = method === 'POST' ? route.post : method === 'GET' ? route.get : undefined;
  if (statusCode !== 200 || answers === undefined || answers === 'empty') return undefined;
  const mayBeEmpty = SILENT.has(route.family) || (payload !== undefined && depthOf(payload) > 500);
  return reply.rawPayload.length > 0 || mayBeEmpty ? undefined : `no body for ${shown}`;
}

function query(names: readonly string[], random: Random): string {
  if (random.chance(0.4)) return '';
  const parts = names
    .filter(() => random.chance(0.7))
    .map((name) => {
      const text = value(random).replaceAll('"', '');
      return `${name}=${random.chance(0.8) ? encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')) : '%zz+%'}`;
    });
  return `?${parts.join('&')}`;
}

/** Returns the maximum nesting depth of brackets. */
export function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}
