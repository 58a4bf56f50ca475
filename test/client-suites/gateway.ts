import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountBank } from './account-bank.js';
import { headNumber, untilHeight } from './head-number.js';

/** Matches paths whose requests contain complete transactions. */
const TRANSACTIONS = /^\/wallet\/(getsignweight|getapprovedlist|broadcast)/;
/** Delay of each answer in ms, as from a public node nearby. tronpy's tests expect that a timeout of 0.1 ms expires. */
const DISTANCE_MS = 10;
/** Maximum number of accounts that a suite may create with one request. */
const ACCOUNTS_MAX = 1_000;

/** A running HTTP proxy between a client suite and the node. */
export interface Gateway {
  /** Port that a suite uses as `fullHost`. */
  readonly port: number;
  close(): void;
}

/** HTTP ports of the node. */
export interface NodePorts {
  /** Port of `/wallet` and `/v1`. */
  readonly full: number;
  /** Port of `/walletsolidity`. */
  readonly solidity: number;
}

/**
 * Addresses and transaction ids of the public test net, each with its value on the private network. They are replaced
 * in requests, and restored in responses.
 */
export type Aliases = ReadonlyMap<string, string>;

/**
 * Starts a server with one port for both HTTP interfaces of the node. It adds three functions of TronBox's runtime:
 * `/admin/temporary-accounts-generation`, `/admin/accounts-json` and `tre_mine`. The network produces blocks all the
 * time, so `tre_mine` waits for the next block.
 */
export async function startGateway(
  { full, solidity }: NodePorts,
  { bank, aliases }: { bank: AccountBank; aliases: Aliases },
): Promise<Gateway> {
  const answer = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', 'http://gateway');
    switch (url.pathname) {
      case '/admin/temporary-accounts-generation':
        await bank.create(Math.min(Number(url.searchParams.get('accounts') ?? 10), ACCOUNTS_MAX));
        return say(reply, {});
      case '/admin/accounts-json':
        return say(reply, {
          privateKeys: bank.made[0] ?? [],
          more: bank.made.map((privateKeys) => ({ privateKeys })),
        });
      case '/tre':
        incoming.resume();
        await untilHeight(full, (await headNumber(full)) + 1);
        return say(reply, { jsonrpc: '2.0', id: 1, result: true });
      default:
        return forward(incoming, reply, {
          port: url.pathname.startsWith('/walletsolidity/') ? solidity : full,
          // The bytes of a transaction must not change, because the client computes the transaction id from them.
          pairs: TRANSACTIONS.test(url.pathname) ? [] : [...aliases],
        });
    }
  };
  const server = createServer((incoming, reply) => {
    answer(incoming, reply).catch((error: unknown) => {
      if (!reply.headersSent) reply.writeHead(502);
      reply.end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function say(reply: ServerResponse, body: object): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function forward(
  incoming: IncomingMessage,
  reply: ServerResponse,
  { port, pairs }: { port: number; pairs: readonly (readonly [named: string, made: string])[] },
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const body = renamed(await text(incoming), pairs);
  const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...others } = headers;
  const forwarded = request({
    ...{ host: '127.0.0.1', port, method, path: renamed(path, pairs) },
    headers: { ...others, ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }) },
  });
  forwarded.end(method === 'POST' ? body : undefined);
  const [answered] = (await once(forwarded, 'response')) as [IncomingMessage];
  const { 'content-length': old, 'transfer-encoding': chunked, connection: kept, ...otherHeaders } = answered.headers;
  const back = pairs.map(([named, made]) => [made, named] as const);
  const renamedBody = renamed(await text(answered), back);
  await sleep(DISTANCE_MS);
  reply.writeHead(answered.statusCode ?? 502, otherHeaders).end(renamedBody);
}

function renamed(whole: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), whole);
}
