import { ELEMENTS_MAX, hasTooManyElements } from '../../encoding/json/element-limit.js';
import type { JsonLibrary } from '../../encoding/json/json-library.js';
import { JsonObject, type JsonValue, printJson } from '../../encoding/json/json-value.js';
import { parseJson } from '../../encoding/json/parse-json.js';
import type { PrintOptions } from '../../encoding/json/print-transaction.js';
import { JavaError } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { EMPTY_BYTES, toUtf8 } from '../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import type { RememberedIds } from '../operations/broadcast.js';
import { bodyText } from './body-text.js';
import type { HttpPool } from './http-pool.js';
import { type Parameters, readPairs, readParameters } from './parameters.js';

/** What a server has at hand for the answers of all requests. */
export interface HttpServices {
  readonly api: ApiContext;
  readonly remembered: RememberedIds;
  /** When this server began, ms. */
  readonly startedMs: number;
  readonly gate?: ApiMiddleware | undefined;
  /** Who answers what is costly; there is one where the API context has a call budget. */
  readonly pool?: HttpPool | undefined;
}

interface HttpRequest {
  readonly method: string;
  /** Without `?`; undefined when there is none. */
  readonly query: string | undefined;
  /** Bytes of the body; `undefined` when it is above the limit, so that it was not kept. */
  readonly body: Uint8Array | undefined;
  /** The body did not come in time. */
  readonly isLate: boolean;
  /** Content-Type; '' for none. */
  readonly type: string;
  /** A form is read as an object of its parameters. */
  readonly readsForms: boolean;
  /** The newest block answers, not a solidified one. */
  readonly isHead: boolean;
  /** Errors are told by their text alone. */
  readonly hasBareErrors: boolean;
}

/**
 * What the container says to who reads a body that does not come; it counts the milliseconds.
 * Reference: Jetty's HttpInput.
 */
const TOO_LATE = 'java.util.concurrent.TimeoutException: Idle timeout expired: 30000/30000 ms';

/** One request as the answer functions see it. */
export class HttpCall {
  readonly services: HttpServices;
  readonly view: ChainView;
  readonly method: string;
  /** Status of the answer: nearly always 200 in the reference, whatever went wrong. */
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

  /** What reads and prints JSON. */
  get json(): JsonLibrary {
    return this.api.settings.release.json;
  }

  /** First value of a parameter of the query, or of a form body; null when there is none. @throws {JavaError} */
  parameter(name: string): string | null {
    return this.parameterValues(name)[0] ?? null;
  }

  /** All values of a parameter. @throws {JavaError} */
  parameterValues(name: string): readonly string[] {
    this.parameters ??= this.readParameters();
    return this.parameters.get(name) ?? [];
  }

  /** `visible` of the query: anything but `true` is false. Reference: Util.getVisible. */
  get visible(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /**
   * Whether a GET asks for numbers of 64 bits as texts.
   * Reference: RateLimiterServlet.service, Util.getInt64AsString
   */
  get quotesInt64(): boolean {
    const { quotesInt64 } = this.api.settings.release;
    return quotesInt64 && this.method === 'GET' && this.parameter('int64_as_string')?.toLowerCase() === 'true';
  }

  /** Text of the body, lines ending with `\n`. Reference: PostParams, Util.checkBodySize. @throws {JavaError} */
  body(): string {
    const text = this.text();
    const max = this.api.settings.bodyBytesMax;
    if (this.request.body === undefined || (text.length * 3 > max && Buffer.byteLength(text) > max)) {
      throw new JavaError('java.lang.Exception', `body size is too big, the limit is ${max}`);
    }
    return checkElements(text);
  }

  /** As `body`, a form as an object where the release reads forms. Reference: PostParams. @throws {JavaError} */
  bodyOrForm(): string {
    const text = this.body();
    const isRead = this.request.readsForms && this.request.type === FORM_TYPE;
    return isRead && text !== '' && !isJson(text) ? this.show(formObject(text)) : text;
  }

  /** As `body`, of any size up to what the server keeps. @throws {JavaError} */
  bodyUnchecked(): string {
    return checkElements(this.text());
  }

  /** The body's lines in one, in UTF-8 whatever its type says. Reference: Util.getRequestValue. @throws {JavaError} */
  bodyLines(): string {
    if (this.request.isLate) throw new JavaError('java.io.IOException', TOO_LATE);
    return checkElements(toUtf8(this.request.body ?? EMPTY_BYTES).replace(/[\r\n]/g, ''));
  }

  private text(): string {
    if (this.request.isLate) throw new JavaError('java.io.UncheckedIOException', `java.io.IOException: ${TOO_LATE}`);
    // The container has read a form's body as parameters by now, and gives it only once.
    if (this.isForm && this.parameters !== undefined)
      throw new JavaError('java.lang.IllegalStateException', 'STREAMED');
    if (this.request.body === undefined) return '';
    const text = bodyText(this.request.body, this.request.type);
    return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).replace(/\n$/, '');
  }

  /** Whether the parameters can be read at all. */
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
   * Whether the container reads the body as parameters: not one without any byte.
   * Reference: Jetty's Request.extractContentParameters
   */
  get isForm(): boolean {
    const { type, body } = this.request;
    const [base = ''] = type.split(';');
    return this.method === 'POST' && body !== undefined && body.length > 0 && base.trim().toLowerCase() === FORM_TYPE;
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

/** Parameters as members: a text, or a list where one comes again. */
function formObject(text: string): JsonObject {
  const object = new JsonObject();
  for (const [name, value] of readPairs(text)) {
    const before = object.get(name);
    if (before === undefined) object.set(name, value);
    else object.set(name, Array.isArray(before) ? [...before, value] : [before, value]);
  }
  return object;
}
