import { type HttpAnswer, JSON_TYPE } from '../../api/http/error-pages.js';
import { headerValues, type IncomingRequest } from '../../api/http/incoming-request.js';
import type { HttpDispatcher } from '../../api/http/server/rate-limited-handler.js';
import { isLocalHost } from '../../api/http/server/request-sources.js';
import { resolveTarget } from '../../api/request-path.js';

interface PortParts {
  /** Serves `/wallet`, `/v1` and all other paths. */
  readonly own: HttpDispatcher;
  /** Serves `/walletsolidity`. */
  readonly solidity: HttpDispatcher;
  /** Serves `/jsonrpc`, and `POST /`. */
  readonly rpc: HttpDispatcher;
  /** Accounts of a private network, for TronBox; undefined on other networks. */
  readonly accounts?: object | undefined;
}

const ACCOUNTS_PATH = '/admin/accounts-json';
const RPC_PATH = '/jsonrpc';

/** Serves the paths of several ports on one, as TronGrid does (`tronicle.api.onePort`). */
export class OnePortDispatcher implements HttpDispatcher {
  private readonly parts: PortParts;

  constructor(parts: PortParts) {
    this.parts = parts;
  }

  componentOf(request: Pick<IncomingRequest, 'method' | 'target'>): string | undefined {
    const { part, target } = this.partOf(request);
    return part.componentOf({ ...request, target });
  }

  countedAs(target: string): string | undefined {
    return this.parts.own.countedAs?.(target);
  }

  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { accounts } = this.parts;
    if (accounts !== undefined && request.method === 'GET' && pathOf(request) === ACCOUNTS_PATH)
      return accountsAnswer(accounts, request);
    const { part, target } = this.partOf(request);
    return part.answer(target === request.target ? request : { ...request, target });
  }

  /** Returns the part that serves a request, and the target that it expects. */
  private partOf({ method, target }: Pick<IncomingRequest, 'method' | 'target'>): {
    readonly part: HttpDispatcher;
    readonly target: string;
  } {
    const { own, solidity, rpc } = this.parts;
    const path = pathOf({ target });
    if (path === RPC_PATH) return { part: rpc, target };
    if (path === '/' && method === 'POST') return { part: rpc, target: RPC_PATH };
    return { part: path?.startsWith('/walletsolidity/') === true ? solidity : own, target };
  }
}

function pathOf({ target }: Pick<IncomingRequest, 'target'>): string | undefined {
  return resolveTarget(target)?.path;
}

/** The response contains private keys, so a page must not read it through a DNS name of its own. */
function accountsAnswer(accounts: object, request: IncomingRequest): HttpAnswer {
  const isLocal = headerValues(request, 'host').every(isLocalHost);
  if (!isLocal) return { status: 403, type: JSON_TYPE, body: '{"error":"only for hosts such as localhost"}' };
  return { status: 200, type: JSON_TYPE, body: JSON.stringify(accounts) };
}
