import { isUtf8 } from 'node:buffer';
import { hasTooManyElements } from '../../encoding/json/element-limit.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { ServedPath } from '../http/served-path.js';
import { isJsonType, LOCAL_SOURCES, type RequestSources } from '../http/server/request-sources.js';
import { answerLimited, answerRequest, type RpcMethods, type RpcVersionForm } from './envelope.js';
import { allowedMethods } from './methods/control-methods.js';

interface RpcPathOptions {
  readonly methods: RpcMethods;
  readonly form: RpcVersionForm;
  /** Name of the Java class that serves this port in java-tron. Rate limits in the configuration refer to this name. */
  readonly component: string;
  /**
   * Rules that select the web pages that may call methods that change the network. Default: only pages of this machine.
   */
  readonly sources?: RequestSources;
}

/** Path of JSON-RPC. */
export const RPC_PATH = '/jsonrpc';
const TYPE = 'application/json-rpc';

/** Returns the path of one of java-tron's three JSON-RPC servers (full node, solidity, PBFT). */
export function rpcPath({ methods, form, component, sources = LOCAL_SOURCES }: RpcPathOptions): ServedPath {
  const changesNetwork = [...methods.values()].some((method) => method.changesNetwork === true);
  return {
    path: RPC_PATH,
    methods: ['POST'],
    component,
    ...(form.identifiesCalls === true && { limited: ({ body }) => answerOf(answerLimited(bodyText(body))) }),
    answer: (request) => {
      const allowed = changesNetwork ? methodsFor(request, methods, sources) : methods;
      // A body with too many JSON elements would take seconds to parse. Such a request gets the error for invalid JSON.
      const body = bodyText(request.body);
      const text = answerRequest(allowed, hasTooManyElements(body) ? '' : body, form);
      return text instanceof Promise ? text.then(answerOf) : answerOf(text);
    },
  };
}

function answerOf(body: string): HttpAnswer {
  return { status: 200, type: TYPE, body };
}

/**
 * Returns the methods that the client may call. A web page of another origin must not call methods that change the
 * network. These methods require a JSON body, because a browser sends JSON to another origin only if that server allows
 * it.
 */
function methodsFor({ type, host, origin }: IncomingRequest, methods: RpcMethods, sources: RequestSources): RpcMethods {
  if (!isJsonType(type)) return allowedMethods(methods, NEEDS_JSON);
  return allowedMethods(methods, sources.changeRefusal({ host, origin }));
}

const NEEDS_JSON = 'this method needs the header content-type: application/json';

/** Decodes the body as UTF-8. If it is not valid UTF-8, inserts a NUL character so that the JSON parser rejects it. */
function bodyText(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  return isUtf8(body) ? text : text.replaceAll('\ufffd', '\0');
}
