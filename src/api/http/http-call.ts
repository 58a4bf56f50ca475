import { ELEMENTS_MAX, hasTooManyElements } from '../../encoding/json/element-limit.js';
import type { JsonLibrary } from '../../encoding/json/json-library.js';
import { JsonObject, type JsonValue, printJson } from '../../encoding/json/json-value.js';
import { parseJson } from '../../encoding/json/parse-json.js';
import { printMessage } from '../../encoding/json/print-message.js';
import type { PrintOptions } from '../../encoding/json/print-transaction.js';
import { JavaError } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { itemAt } from '../../primitives/assert.js';
import { toUtf8 } from '../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import type { KnownIds } from '../operations/broadcast.js';
import { bodyText } from './body-text.js';
import type { HttpPool } from './http-pool.js';
import { type Parameters, readPairs, readParameters } from './parameters.js';

/** Objects that a server needs to respond to requests. */
export interface HttpServices {
  readonly api: ApiContext;
  readonly remembered: KnownIds;
  /** Start time of the server, in ms. */
  readonly startedMs: number;
  readonly gate?: ApiMiddleware | undefined;
  /** Worker threads that run expensive requests. Must be set if the API context has a time budget for calls. */
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
  /** True for the state of the head; false for a solidified state. */
  readonly isHead: boolean;
  /** True if errors are sent as text, not as JSON. */
  readonly hasBareErrors: boolean;
}

/** Request in the form in which the handlers read it. */
export class HttpCall {
  readonly services: HttpServices;
  readonly view: ChainView;
  readonly method: string;
  /** HTTP status of the response. As in java-tron, nearly all failures also have status 200. */
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

  /**
   * Returns the first value of a parameter of the query or form; null if absent.
   * @throws {JavaError} the query or form is malformed
   */
  parameter(name: string): string | null {
    return this.parameterValues(name)[0] ?? null;
  }

  /** Returns all values of a parameter. @throws {JavaError} the query or form is malformed */
  parameterValues(name: string): readonly string[] {
    this.parameters ??= this.readParameters();
    return this.parameters.get(name) ?? [];
  }

  /**
   * Value of `visible` in the query. True only for the text `true`, in upper or lower case. Reference: Util.getVisible.
   */
  get visible(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /**
   * True if a GET request wants 64-bit numbers as strings. Reference: RateLimiterServlet.service, Util.getInt64AsString
   */
  get quotesInt64(): boolean {
    const { quotesInt64 } = this.api.settings.release;
    return quotesInt64 && this.method === 'GET' && this.parameter('int64_as_string')?.toLowerCase() === 'true';
  }

  /**
   * Returns the body text with `
   * ` for each line break, and without a line break at the end. Reference: PostParams, Util.checkBodySize.
   * @throws {JavaError} the body is too large or has too many elements, its encoding is unknown, or it was read as a
   * form
   */
  body(): string {
    const text = this.text();
    const max = this.api.settings.bodyBytesMax;
    if (text.length * 3 > max && Buffer.byteLength(text) > max) {
      throw new JavaError('java.lang.Exception', `body size is too big, the limit is ${max}`);
    }
    return checkElements(text);
  }

  /**
   * Returns the body text. If the release reads forms, a form is converted to JSON. Reference: PostParams.
   * @throws {JavaError} as {@link body}, or the form is malformed
   */
  bodyOrForm(): string {
    const text = this.body();
    const isRead = this.request.readsForms && this.request.type === FORM_TYPE;
    return isRead && text !== '' && !isJson(text) ? this.show(formObject(text)) : text;
  }

  /**
   * Returns the body text without the size check of {@link body}. Only the size limit of the server applies.
   * @throws {JavaError} the body has too many elements, its encoding is unknown, or it was read as a form
   */
  bodyUnchecked(): string {
    return checkElements(this.text());
  }

  /**
   * Returns the body text without line breaks. Always decodes it as UTF-8. Reference: Util.getRequestValue.
   * @throws {JavaError} the body has too many elements
   */
  bodyLines(): string {
    return checkElements(toUtf8(this.request.body).replace(/[\r\n]/g, ''));
  }

  private text(): string {
    // If Jetty has read the parameters of a form, it has consumed the body. `getReader` then throws this exception.
    if (this.isForm && this.parameters !== undefined)
      throw new JavaError('java.lang.IllegalStateException', 'STREAMED');
    const text = bodyText(this.request.body, this.request.type);
    return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).replace(/\n$/, '');
  }

  /** Returns true if the parameters of query and form can be parsed. */
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

  /** Returns the JSON text of a message as `printMessage` does; the text `{}` if there is no message. */
  showMessage(message: object | undefined, visible: boolean): string {
    return message === undefined ? '{}' : printMessage(message, visible, this.json);
  }

  print(visible: boolean): PrintOptions {
    return { visible, release: this.api.settings.release, addressPrefix: this.api.settings.addressPrefix };
  }

  /**
   * True if Jetty reads the body as a form. This is false for an empty body. Reference: Jetty's
   * Request.extractContentParameters
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

/** Converts form parameters to a JSON object. The values of a repeated parameter become a list. */
function formObject(text: string): JsonObject {
  const found = new Map<string, string[]>();
  for (const [name, value] of readPairs(text)) {
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  const object = new JsonObject();
  for (const [name, values] of found) object.set(name, values.length === 1 ? itemAt(values, 0) : values);
  return object;
}
