import { ELEMENTS_MAX, hasTooManyElements } from '../../encoding/json/element-limit.js';
import type { JsonLibrary } from '../../encoding/json/json-library.js';
import { JsonObject, type JsonValue, printJson } from '../../encoding/json/json-value.js';
import { parseJson } from '../../encoding/json/parse-json.js';
import type { PrintOptions } from '../../encoding/json/print-transaction.js';
import { JavaError } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { toUtf8 } from '../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import type { RememberedIds } from '../operations/broadcast.js';
import { bodyText } from './body-text.js';
import type { HttpPool } from './http-pool.js';
import { type Parameters, readPairs, readParameters } from './parameters.js';

/** Services that a server uses to answer requests. */
export interface HttpServices {
  readonly api: ApiContext;
  readonly remembered: RememberedIds;
  /** Start time of the server, in milliseconds. */
  readonly startedMs: number;
  readonly gate?: ApiMiddleware | undefined;
  /** Worker threads that answer expensive requests. Set if the API context has a time budget for calls. */
  readonly pool?: HttpPool | undefined;
}

interface HttpRequest {
  readonly method: string;
  /** Query string without `?`; undefined if absent. */
  readonly query: string | undefined;
  readonly body: Uint8Array;
  /** Content-Type; empty if absent. */
  readonly type: string;
  /** True if a body with form parameters is read as a JSON object. */
  readonly readsForms: boolean;
  /** True to read the newest state, false to read a solidified state. */
  readonly isHead: boolean;
  /** True if an error is shown as text without JSON. */
  readonly hasBareErrors: boolean;
}

/** Request as the handlers see it. */
export class HttpCall {
  readonly services: HttpServices;
  readonly view: ChainView;
  readonly method: string;
  /** HTTP status of the response. java-tron uses 200 even for nearly all failures. */
  status = 200;
  private readonly request: HttpRequest;
  private parameters: Parameters | undefined;

  constructor(services: HttpServices, view: ChainView, request: HttpRequest) {
    this.services = services;
    this.view = view;
    this.request = request;
    this.method = request.method;
  }

  get isHead(): boolean {
    return this.request.isHead;
  }

  get hasBareErrors(): boolean {
    return this.request.hasBareErrors;
  }

  get api(): ApiContext {
    return this.services.api;
  }

  /** JSON library that java-tron uses in the emulated release. */
  get json(): JsonLibrary {
    return this.api.settings.release.json;
  }

  /** Returns the first value of a parameter of the query or form; null if absent. @throws {JavaError} */
  parameter(name: string): string | null {
    return this.parameterValues(name)[0] ?? null;
  }

  /** Returns all values of a parameter. @throws {JavaError} */
  parameterValues(name: string): readonly string[] {
    this.parameters ??= this.readParameters();
    return this.parameters.get(name) ?? [];
  }

  /** Value of `visible` in the query. Any value except `true` is false. Reference: Util.getVisible. */
  get visible(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /**
   * True if a GET requests 64-bit numbers as strings.
   * Reference: RateLimiterServlet.service, Util.getInt64AsString
   */
  get quotesInt64(): boolean {
    const { quotesInt64 } = this.api.settings.release;
    return quotesInt64 && this.method === 'GET' && this.parameter('int64_as_string')?.toLowerCase() === 'true';
  }

  /** Returns the body text, with `\n` as line end. Reference: PostParams, Util.checkBodySize. @throws {JavaError} */
  body(): string {
    const text = this.text();
    const max = this.api.settings.bodyBytesMax;
    if (text.length * 3 > max && Buffer.byteLength(text) > max) {
      throw new JavaError('java.lang.Exception', `body size is too big, the limit is ${max}`);
    }
    return checkElements(text);
  }

  /** Returns the body. If the release reads forms, a form becomes JSON. Reference: PostParams. @throws {JavaError} */
  bodyOrForm(): string {
    const text = this.body();
    const isRead = this.request.readsForms && this.request.type === FORM_TYPE;
    return isRead && text !== '' && !isJson(text) ? this.show(formObject(text)) : text;
  }

  /** Returns the body without the size check of `body`. Only the limit of the server applies. @throws {JavaError} */
  bodyUnchecked(): string {
    return checkElements(this.text());
  }

  /**
   * Returns the body without line breaks. Always decodes it as UTF-8.
   * Reference: Util.getRequestValue. @throws {JavaError}
   */
  bodyLines(): string {
    return checkElements(toUtf8(this.request.body).replace(/[\r\n]/g, ''));
  }

  private text(): string {
    // For a form, Jetty has already consumed the body to read the parameters. The body is then empty.
    if (this.isForm && this.parameters !== undefined)
      throw new JavaError('java.lang.IllegalStateException', 'STREAMED');
    const text = bodyText(this.request.body, this.request.type);
    return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).replace(/\n$/, '');
  }

  /** Returns true if the parameters can be parsed. */
  hasReadableQuery(): boolean {
    try {
      this.parameter('');
      return true;
    } catch (error) {
      if (error instanceof JavaError) return false;
      throw error;
    }
  }

  show(value: JsonValue): string {
    return printJson(value, this.json);
  }

  print(visible: boolean): PrintOptions {
    return { visible, release: this.api.settings.release, addressPrefix: this.api.settings.addressPrefix };
  }

  /**
   * True if Jetty reads the body as form parameters. This is false for an empty body.
   * Reference: Jetty's Request.extractContentParameters
   */
  get isForm(): boolean {
    const { type, body } = this.request;
    const [base = ''] = type.split(';');
    return this.method === 'POST' && body.length > 0 && base.trim().toLowerCase() === FORM_TYPE;
  }

  get hasType(): boolean {
    return !isBlank(this.request.type);
  }

  private readParameters(): Parameters {
    const { query, body } = this.request;
    return readParameters(query, this.isForm ? body : undefined);
  }
}

function checkElements(text: string): string {
  if (!hasTooManyElements(text)) return text;
  throw new JavaError('java.lang.Exception', `body has too many elements, the limit is ${ELEMENTS_MAX}`);
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

function isJson(text: string): boolean {
  try {
    parseJson(text, 'jackson');
    return true;
  } catch (error) {
    if (error instanceof JavaError) return false;
    throw error;
  }
}

/** Converts form parameters to a JSON object. A repeated parameter becomes a list. */
function formObject(text: string): JsonObject {
  const object = new JsonObject();
  for (const [name, value] of readPairs(text)) {
    const before = object.get(name);
    if (before === undefined) object.set(name, value);
    else object.set(name, Array.isArray(before) ? [...before, value] : [before, value]);
  }
  return object;
}
