import { errorAnswer, type HttpAnswer, JSON_TYPE } from '../../../api/http/http-answer.js';
import type { IncomingRequest } from '../../../api/http/incoming-request.js';
import type { ServedPath } from '../../../api/http/served-path.js';
import { isLocalHost } from '../../../api/http/server/request-sources.js';
import { httpContexts } from '../../../api/servers.js';

interface PortParts {
  /** All paths of the full node, such as those below `/wallet` and `/v1`. */
  readonly own: readonly ServedPath[];
  /** Paths of the solidity port. The common port serves only those below `/walletsolidity`. */
  readonly solidity: readonly ServedPath[];
  /** The path `/jsonrpc`. The common port also serves it as `POST /`. */
  readonly rpc: ServedPath;
  /** Funded accounts of a private network, for TronBox; undefined on other networks. */
  readonly accounts?: object | undefined;
}

const ACCOUNTS_PATH = '/admin/accounts-json';

/** Combines the paths of several ports on one port, as TronGrid does (`tronicle.api.onePort`). */
export function onePortPaths({ own, solidity, rpc, accounts }: PortParts): readonly ServedPath[] {
  const paths = [...own, ...solidity.filter(({ path }) => path.startsWith(httpContexts.solidity))];
  paths.push(rpc, { ...rpc, path: '/' });
  if (accounts === undefined) return paths;
  const answer = (request: IncomingRequest) => accountsAnswer(accounts, request);
  return [...paths, { path: ACCOUNTS_PATH, methods: ['GET'], answer }];
}

/**
 * Returns the accounts with their private keys. Rejects a request whose host name is not local, because a web page
 * could otherwise read the keys through its own DNS name.
 */
function accountsAnswer(accounts: object, { host }: IncomingRequest): HttpAnswer {
  if (host !== undefined && !isLocalHost(host)) return errorAnswer(403, 'only for hosts such as localhost');
  return { status: 200, type: JSON_TYPE, body: JSON.stringify(accounts) };
}
