import { quotingInt64 } from '../../encoding/json/int64-form.js';
import { jsonObject } from '../../encoding/json/json-value.js';
import { JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import { JavaError } from '../../java-compat/java-error.js';
import { itemAt } from '../../primitives/assert.js';
import { describeError, javaError } from '../../state-transition/java-errors.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { LITE_REFUSAL, litePaths } from '../middleware/lite-node.js';
import type { ApiRelease } from '../releases/api-release.js';
import { apiName, type RequestPath, resolveTarget, targetRefusal, userRefusal } from '../request-path.js';
import { httpContexts, type ServerName, serverViews } from '../servers.js';
import { badMessage, errorPage, type HttpAnswer, JSON_TYPE } from './error-pages.js';
import { HttpCall, type HttpServices } from './http-call.js';
import { headerValues, type IncomingRequest } from './incoming-request.js';
import type { RouteAnswer } from './route.js';
import { routesOf, type ServedRoute } from './route-table.js';

const DEFAULT_SERVLET = 'org.eclipse.jetty.servlet.ServletHandler$Default404Servlet';
const PBFT_CONTEXT = '/walletpbft';

/** Answers requests as one of java-tron's three HTTP servers does. */
export class Dispatcher {
  private readonly server: ServerName;
  private readonly services: HttpServices;
  private readonly disabled: ReadonlySet<string>;
  private readonly table: ReadonlyMap<string, ServedRoute>;

  /** @param disabled names of `node.disabledApi` in lower case */
  constructor(server: ServerName, services: HttpServices, disabled: readonly string[]) {
    this.server = server;
    this.services = services;
    this.disabled = new Set(disabled);
    const { release, isSolidityNode } = services.api.settings;
    this.table = routesOf(server, release, isSolidityNode);
  }

  /** @throws any error of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { method } = request;
    const { release } = this.services.api.settings;
    const path = targetOf(request, release);
    if (typeof path === 'string') return badMessage(400, path);
    if (isAboutServer(method, path)) return serverRefusal(release, request);
    if (this.isOutside(path)) return outsideContext(release, path, request);
    if (this.isClosed(path)) return CLOSED;
    if (this.isDisabled(path)) return UNAVAILABLE;
    if (method === 'PUT' || method === 'DELETE') return { status: unservedStatus(request) };
    if (!SERVED.has(method)) return { status: 501 };
    const route = this.table.get(path.path);
    if (method === 'TRACE') return trace(path, request);
    return route === undefined ? unknownPath(release, path, request) : this.serve(route, path, request);
  }

  /** Returns the name of the handler that would serve the request, for rate limits; undefined if none would. */
  componentOf({ target }: Pick<IncomingRequest, 'target'>): string | undefined {
    const path = resolveTarget(target);
    if (path === undefined || this.isOutside(path) || this.isClosed(path) || this.isDisabled(path)) return undefined;
    return this.table.get(path.path)?.component;
  }

  private isOutside({ path }: RequestPath): boolean {
    return this.server === 'pbft' && !path.startsWith(`${PBFT_CONTEXT}/`);
  }

  /** Returns true if the path is closed on a lite node. Older releases compare the path as sent. */
  private isClosed({ raw, path }: RequestPath): boolean {
    const { filtersByServletPath } = this.services.api.settings.release;
    return litePaths.has(filtersByServletPath ? path : raw) && this.services.gate?.closesHistory() === true;
  }

  /**
   * Returns true if the path is disabled. Only paths of this server can be disabled.
   * Reference: HttpApiAccessFilter and the paths it is set on.
   */
  private isDisabled(path: RequestPath): boolean {
    if (this.disabled.size === 0) return false;
    const isOwn = path.path.startsWith(httpContexts[this.server]) || this.table.has(path.path);
    const name = apiName(path);
    return isOwn && name !== undefined && this.disabled.has(name);
  }

  private serve(route: ServedRoute, path: RequestPath, request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { method } = request;
    const { release } = this.services.api.settings;
    const { get, post } = route;
    const isHandedOn = this.server === 'pbft' && route.handsOn === (method === 'POST' ? 'POST' : 'GET');
    const view = this.services.api.view(isHandedOn ? 'pbft-again' : serverViews[this.server]);
    const call = new HttpCall(this.services, view, {
      method,
      query: path.query,
      body: request.body,
      isLate: request.isLate === true,
      type: request.type,
      readsForms: release.readsForms && route.readsForms,
      isHead: serverViews[this.server] === 'head',
      hasBareErrors: route.hasBareErrors,
    });
    if (release.readsQueryFirst && method === 'GET' && !call.hasReadableQuery()) return { status: 200 };
    if (method === 'OPTIONS') {
      const names = [...(get === undefined ? [] : ['GET', 'HEAD']), ...(post === undefined ? [] : ['POST'])];
      return { status: 200, type: JSON_TYPE, allow: [...names, 'TRACE', 'OPTIONS'].join(', ') };
    }
    const answer = method === 'POST' ? post : get;
    if (answer === undefined) {
      const servlet = `org.tron.core.services.http.${route.component}`;
      return unservedMethod(release, path, request, servlet);
    }
    if (answer === 'empty') return { status: 200, type: JSON_TYPE };
    try {
      const text = call.quotesInt64 ? quotingInt64(() => runAnswer(answer, call)) : runAnswer(answer, call);
      return text instanceof Promise ? text.then((later) => answerOf(call, later)) : answerOf(call, text);
    } catch (error) {
      const { pool } = this.services;
      if (!(error instanceof BudgetExceededError) || pool === undefined) throw error;
      return pool.http(this.server, request, error);
    }
  }
}

/** Runs a handler. A Java error becomes the text that java-tron shows. @throws any error of this program */
function runAnswer(answer: RouteAnswer, call: HttpCall): string | undefined | Promise<string | undefined> {
  try {
    const text = answer(call);
    return text instanceof Promise ? text.catch((error: unknown) => shownError(error, call)) : text;
  } catch (error) {
    return shownError(error, call);
  }
}

/** Resolves the path of a request. @returns the reason as text if the request target is refused */
export function targetOf(
  { target }: Pick<IncomingRequest, 'target'>,
  { refusesUsers }: Pick<ApiRelease, 'refusesUsers'>,
): RequestPath | string {
  const path = resolveTarget(target);
  if (path === undefined) return targetRefusal(target);
  return (refusesUsers ? userRefusal(target) : undefined) ?? path;
}

function shownError(error: unknown, call: HttpCall): string | undefined {
  const text = describeError(error);
  if (text === undefined) throw error;
  if (isStackOverflow(error)) return undefined;
  if (call.hasBareErrors) return String(javaError(error)?.text);
  return call.show(jsonObject({ Error: text }));
}

/** Returns true for a Java error that no handler catches. The response body is then empty. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof JavaError && error.javaClass === 'java.lang.StackOverflowError';
}

function answerOf({ status }: HttpCall, text: string | undefined): HttpAnswer {
  return { status, type: JSON_TYPE, body: text === undefined ? '' : `${text}\n` };
}

export const SERVED = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE']);

const CLOSED: HttpAnswer = { status: 200, type: JSON_TYPE, body: LITE_REFUSAL };

const UNAVAILABLE: HttpAnswer = {
  status: 404,
  type: JSON_TYPE,
  body: '{"Error":"this API is unavailable due to config"}\n',
};

/** Returns true for a method other than OPTIONS on `*`, which addresses the server itself. Reference: Server.handle */
export function isAboutServer(method: string, { path }: RequestPath): boolean {
  return path === '*' && method !== 'OPTIONS';
}

export function serverRefusal(release: ApiRelease, request: IncomingRequest): HttpAnswer {
  return errorPage(release, request, { status: 400, message: 'Bad Request', uri: '*' });
}

function outsideContext(release: ApiRelease, { raw, path, query }: RequestPath, request: IncomingRequest): HttpAnswer {
  if (path === PBFT_CONTEXT) {
    const inside = query === undefined ? '' : `?${query}`;
    return { status: 302, location: `${originOf(request)}${raw}/${inside}` };
  }
  return errorPage(release, request, { status: 404, message: 'Not Found', uri: raw });
}

/** Returns the origin that the Host header of a request names. */
function originOf(request: IncomingRequest): string {
  const [host = ''] = headerValues(request, 'host');
  return host === '' ? '' : `http://${host.replace(/:80$/, '')}`;
}

/** Returns the response to a path without a handler. */
export function unknownPath(release: ApiRelease, path: RequestPath, request: IncomingRequest): HttpAnswer {
  const { method } = request;
  if (method === 'OPTIONS') return { status: 200, allow: 'GET, HEAD, TRACE, OPTIONS' };
  if (method === 'POST') return unservedMethod(release, path, request, DEFAULT_SERVLET);
  return errorPage(release, request, { status: 404, message: 'Not Found', uri: path.raw, servlet: DEFAULT_SERVLET });
}

/** Returns the response to a method that the handler does not support. @param servlet class of the handler */
export function unservedMethod(
  release: ApiRelease,
  { raw }: RequestPath,
  request: IncomingRequest,
  servlet: string,
): HttpAnswer {
  const message = `HTTP method ${request.method} is not supported by this URL`;
  return errorPage(release, request, { status: unservedStatus(request), message, uri: raw, servlet });
}

/** Returns the status for an unsupported method. HTTP versions before 1.1 have no 405. Reference: HttpServlet.doPut */
export function unservedStatus({ version }: Pick<IncomingRequest, 'version'>): number {
  return version === '1.1' ? 405 : 400;
}

/**
 * Returns the request itself, as TRACE does. Each header occurs once, in the order of java-tron's hash set of names.
 * Reference: HttpServlet.doTrace.
 */
export function trace({ raw }: RequestPath, { version, rawHeaders }: IncomingRequest): HttpAnswer {
  const names = new JavaHashMap<string, true>(javaHashOfText);
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [itemAt(rawHeaders, at), itemAt(rawHeaders, at + 1)];
    const key = name.toLowerCase();
    names.set(name, true);
    if (!values.has(key)) values.set(key, value);
  }
  let body = `TRACE ${raw} HTTP/${version}\r\n`;
  for (const [name] of names.entries()) body += `${name}: ${values.get(name.toLowerCase())}\r\n`;
  return { status: 200, type: 'message/http', body };
}
