import { quotingInt64 } from '../../encoding/json/int64-form.js';
import { jsonObject } from '../../encoding/json/json-value.js';
import { JavaError } from '../../java-compat/java-error.js';
import { describeError, javaError } from '../../state-transition/java-errors.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { LITE_REFUSAL, litePaths } from '../middleware/lite-node.js';
import { apiName, queryOf, resolveTarget } from '../request-path.js';
import { type ServerName, serverViews } from '../servers.js';
import { errorAnswer, type HttpAnswer, JSON_TYPE } from './http-answer.js';
import { HttpCall, type HttpServices } from './http-call.js';
import type { IncomingRequest } from './incoming-request.js';
import type { RouteAnswer } from './route.js';
import { routesOf, type ServedRoute } from './route-table.js';
import type { HttpMethod, ServedPath } from './served-path.js';

/** Routes the requests of one of java-tron's three HTTP servers to their handlers. */
export class Dispatcher {
  /** Paths of the server, one per route. */
  readonly paths: readonly ServedPath[];
  private readonly server: ServerName;
  private readonly services: HttpServices;
  private readonly disabled: ReadonlySet<string>;
  private readonly table: ReadonlyMap<string, ServedRoute>;

  /** @param disabled names of disabled operations (`node.disabledApi`) in lower case */
  constructor(server: ServerName, services: HttpServices, disabled: readonly string[]) {
    this.server = server;
    this.services = services;
    this.disabled = new Set(disabled);
    const { release, isSolidityNode } = services.api.settings;
    this.table = routesOf(server, release, isSolidityNode);
    this.paths = [...this.table.values()].map((route) => this.servedPath(route));
  }

  /**
   * Runs the handler of a path. The caller must have checked that the path is not closed on a lite node or disabled.
   * @throws an error without a corresponding Java exception, which is a fault of this program
   */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const path = resolveTarget(request.target)?.path;
    const route = path === undefined ? undefined : this.table.get(path);
    return route === undefined ? errorAnswer(404, `no such path: ${path}`) : this.serve(route, request);
  }

  private servedPath(route: ServedRoute): ServedPath {
    const { path, component } = route;
    const refusal = this.refusalOf(path);
    const answer = (request: IncomingRequest) => this.serve(route, request);
    return { path, methods: methodsOf(route), component, ...(refusal && { refusal }), answer };
  }

  private refusalOf(path: string): ServedPath['refusal'] {
    if (this.disabled.has(apiName(path) ?? '')) return () => UNAVAILABLE;
    if (!litePaths.has(path)) return undefined;
    return () => (this.services.gate?.closesHistory() === true ? CLOSED : undefined);
  }

  private serve(route: ServedRoute, request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { method } = request;
    const { release } = this.services.api.settings;
    const isHandedOn = this.server === 'pbft' && route.handsOn === (method === 'POST' ? 'POST' : 'GET');
    const view = this.services.api.view(isHandedOn ? 'pbft-again' : serverViews[this.server]);
    const call = new HttpCall(this.services, view, {
      method,
      query: queryOf(request.target),
      body: request.body,
      type: request.type,
      readsForms: release.readsForms && route.readsForms,
      isHead: serverViews[this.server] === 'head',
      hasBareErrors: route.hasBareErrors,
    });
    if (release.readsQueryFirst && method === 'GET' && !call.hasReadableQuery()) return { status: 200 };
    const answer = method === 'POST' ? route.post : route.get;
    if (answer === undefined) return errorAnswer(405, `method ${method} is not supported by this path`);
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

function methodsOf({ get, post }: ServedRoute): readonly HttpMethod[] {
  return [...(get === undefined ? [] : (['GET', 'HEAD'] as const)), ...(post === undefined ? [] : (['POST'] as const))];
}

/**
 * Runs a handler. If it throws a Java error, returns the text that java-tron sends.
 * @throws an error without a corresponding Java exception, which is a fault of this program
 */
function runAnswer(answer: RouteAnswer, call: HttpCall): string | undefined | Promise<string | undefined> {
  try {
    const text = answer(call);
    return text instanceof Promise ? text.catch((error: unknown) => shownError(error, call)) : text;
  } catch (error) {
    return shownError(error, call);
  }
}

function shownError(error: unknown, call: HttpCall): string | undefined {
  const text = describeError(error);
  if (text === undefined) throw error;
  if (isStackOverflow(error)) return undefined;
  if (call.hasBareErrors) return String(javaError(error)?.text);
  return call.show(jsonObject({ Error: text }));
}

/** Returns true for a stack overflow. No handler of java-tron catches it, so the response body is empty. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof JavaError && error.javaClass === 'java.lang.StackOverflowError';
}

function answerOf({ status }: HttpCall, text: string | undefined): HttpAnswer {
  return { status, type: JSON_TYPE, body: text === undefined ? '' : `${text}\n` };
}

/** Response for a path that is not available on a lite node. */
const CLOSED: HttpAnswer = { status: 200, type: JSON_TYPE, body: LITE_REFUSAL };

/** Response for an operation that `node.disabledApi` disables. */
const UNAVAILABLE: HttpAnswer = errorAnswer(404, 'this API is unavailable due to config');
