import { isUtf8 } from 'node:buffer';
import { hasTooManyElements } from '../../encoding/json/element-limit.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import {
  isAboutServer,
  SERVED,
  serverRefusal,
  targetOf,
  trace,
  unknownPath,
  unservedMethod,
  unservedStatus,
} from '../http/dispatch.js';
import { badMessage, type HttpAnswer, JSON_TYPE } from '../http/error-pages.js';
import { headerValues, type IncomingRequest } from '../http/incoming-request.js';
import { isJsonType, LOCAL_SOURCES, type RequestSources } from '../http/server/request-sources.js';
import type { ApiRelease } from '../releases/api-release.js';
import { resolveTarget } from '../request-path.js';
import { answerRequest, type RpcMethods, type RpcVersionForm } from './envelope.js';
import { allowedMethods } from './methods/control-methods.js';

const PATH = '/jsonrpc';
const TYPE = 'application/json-rpc';

/** Answers HTTP requests as one of java-tron's three JSON-RPC servers (full node, solidity, PBFT) does. */
export class RpcDispatcher {
  private readonly methods: RpcMethods;
  private readonly component: string;
  private readonly form: RpcVersionForm;
  private readonly release: ApiRelease;
  private readonly sources: RequestSources;
  private readonly changesNetwork: boolean;

  /**
   * @param component Java class name shown on error pages
   * @param sources pages that may call methods which change the network
   */
  constructor(methods: RpcMethods, component: string, form: RpcVersionForm, sources = LOCAL_SOURCES) {
    this.methods = methods;
    this.sources = sources;
    this.changesNetwork = [...methods.values()].some((method) => method.changesNetwork === true);
    this.form = form;
    this.release = form.release;
    this.component = component;
  }

  /** Simple name of the Java class. Rate limits are configured by this name. */
  get name(): string {
    return this.component.slice(this.component.lastIndexOf('.') + 1);
  }

  /** Returns `name` if the request's path is this server's path, else undefined. */
  componentOf({ target }: Pick<IncomingRequest, 'target'>): string | undefined {
    return resolveTarget(target)?.path === PATH ? this.name : undefined;
  }

  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { method } = request;
    const path = targetOf(request, this.release);
    if (typeof path === 'string') return badMessage(400, path);
    if (isAboutServer(method, path)) return serverRefusal(this.release, request);
    if (method === 'PUT' || method === 'DELETE') return { status: unservedStatus(request) };
    if (!SERVED.has(method)) return { status: 501 };
    if (method === 'TRACE') return trace(path, request);
    if (path.path !== PATH) return unknownPath(this.release, path, request);
    if (method === 'OPTIONS') return { status: 200, type: JSON_TYPE, allow: 'POST, TRACE, OPTIONS' };
    if (method !== 'POST') return unservedMethod(this.release, path, request, this.component);
    if (request.isLate === true) return { status: 200, type: this.release.ownRpcEnvelope ? JSON_TYPE : TYPE, body: '' };
    // A body that exceeds the size limit, or would take seconds to parse, gets the response for invalid JSON.
    const body = bodyText(request.body ?? EMPTY_BYTES);
    const answer = answerRequest(this.methodsFor(request), hasTooManyElements(body) ? '' : body, this.form);
    if (answer instanceof Promise) return answer.then((text) => ({ status: 200, type: TYPE, body: text }));
    return { status: 200, type: TYPE, body: answer };
  }

  /** Returns the methods that the caller may use. Browsers send JSON to another origin only with its permission. */
  private methodsFor(request: IncomingRequest): RpcMethods {
    if (!this.changesNetwork) return this.methods;
    if (!isJsonType(request.type)) return allowedMethods(this.methods, NEEDS_JSON);
    const [host, origin] = ['host', 'origin'].map((name) => headerValues(request, name)[0]);
    return allowedMethods(this.methods, this.sources.changeRefusal({ host, origin }));
  }
}

const NEEDS_JSON = 'this method needs the header content-type: application/json';

/** Decodes the body. If it is not valid UTF-8, inserts a NUL character so that the JSON parser rejects it. */
function bodyText(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  return isUtf8(body) ? text : text.replaceAll('\ufffd', '\0');
}
