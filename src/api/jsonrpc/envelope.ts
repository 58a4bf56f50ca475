import { hasTooManyElements } from '../../encoding/json/element-limit.js';
import { JSON_DEPTH_MAX } from '../../encoding/json/jackson/parse-jackson.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { RpcLimits } from '../releases/rpc-limits.js';
import { clearErrorText, errorResponse, longErrorText, shortErrorText } from './error-text.js';
import { eachInTurns, type Later } from './in-turns.js';
import { jacksonText } from './jackson-text.js';
import { type Json, JsonLimitError, JsonNumber, JsonSyntaxError, printValue, readFirstValue } from './json-text.js';
import type { ReadParameter } from './parameters.js';
import { ParameterKindError } from './rpc-error.js';

/** A JSON-RPC method and the types of its parameters. */
export interface RpcMethod {
  readonly parameters: readonly ReadParameter<unknown>[];
  /**
   * Number of trailing parameters that a request may omit. An omitted parameter is null. Always 0 for java-tron's
   * methods.
   */
  readonly optional?: number;
  /** True if the method changes the network. Web pages of another origin must not call such a method. */
  readonly changesNetwork?: true;
  /**
   * Returns the result, or a promise if another thread computes the result.
   * @throws {RpcError | JavaError | ChainError} the parameters are invalid, or the method fails
   */
  run(...values: unknown[]): unknown;
}

export type RpcMethods = ReadonlyMap<string, RpcMethod>;
export type RpcEntry = readonly [name: string, method: RpcMethod];

/**
 * Returns an entry of the method table: name, parameter readers and function. `run` receives the values that the
 * readers return.
 */
export function rpcMethod<P extends unknown[]>(
  name: string,
  parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
  run: (...values: P) => unknown,
  optional = 0,
): RpcEntry {
  // Safe cast: the readers return values of the types that `run` expects.
  return [name, { parameters, optional, run: (...values) => run(...(values as P)) }];
}

/** A result that is already encoded as JSON text. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Maximum number of calls in one batch. */
const BATCH_MAX = 1_000;
/**
 * Length in characters from which a batch response accepts no more results. java-tron has no such limit and can run out
 * of memory.
 */
const BATCH_LENGTH_MAX = 64 * 2 ** 20;
const BATCH_TOO_LONG = '{"jsonrpc":"2.0","id":"null","error":{"code":-32003,"message":"batch answer too long"}}';
const PARSE_ERROR = '{"jsonrpc":"2.0","id":"null","error":{"code":-32700,"message":"JSON parse error"}}';
const INVALID_REQUEST = '{"jsonrpc":"2.0","id":"null","error":{"code":-32600,"message":"invalid request"}}';

/**
 * Thrown for a request that gets no response, as in jsonrpc4j (java-tron's JSON-RPC library). In such a request,
 * `params` is neither a list nor an object, or `id` is neither text nor number, or the number is too long.
 */
class NoAnswer extends Error {}

/**
 * Settings that determine the form of responses. The emulated release and the configuration determine these settings.
 */
export interface RpcVersionForm {
  readonly release: ApiRelease;
  readonly rpcLimits: RpcLimits;
  /**
   * True if every failed call gets an error with its own id, as Ethereum clients expect. A client that finds no
   * response with the id of its call may wait forever. False for the responses of java-tron.
   */
  readonly identifiesCalls?: boolean;
}

/** Runs one call and returns its response; undefined for no response. */
type AnswerCall = (call: ReadonlyMap<string, Json>) => Later<string | undefined>;

/**
 * Returns the response to a request; an empty text for no response. Reference: JsonRpcServer of jsonrpc4j, and since
 * release 4.8.2 JsonRpcServlet.
 */
export function answerRequest(
  methods: RpcMethods,
  body: string,
  { release, rpcLimits, identifiesCalls = false }: RpcVersionForm,
): Later<string> {
  const shown = release.ownRpcEnvelope ? shortErrorText : longErrorText;
  const answerOf: AnswerCall = identifiesCalls
    ? (call) => answerIdentified(methods, call)
    : (call) => answerCall(methods, call, shown);
  if (release.ownRpcEnvelope) return answerChecked(answerOf, body, rpcLimits);
  try {
    return whenThere(answerNode(answerOf, readFirstValue(body), 0), (answer) =>
      answer === undefined ? '' : `${answer}\n`,
    );
  } catch (error) {
    if (error instanceof NoAnswer) return '';
    if (error instanceof JsonSyntaxError || error instanceof ParameterKindError) return `${PARSE_ERROR}\n`;
    throw error;
  }
}

/**
 * Responds like the servlet of release 4.8.2 and later. This servlet rejects malformed requests before the lookup of
 * the method.
 */
function answerChecked(answerOf: AnswerCall, body: string, limits: RpcLimits): Later<string> {
  let root: Json;
  try {
    root = readFirstValue(body, JSON_DEPTH_MAX);
  } catch (error) {
    if (error instanceof JsonLimitError) return errorResponse(-32700, error.message);
    if (error instanceof JsonSyntaxError) return errorResponse(-32700, 'JSON parse error');
    throw error;
  }
  const { maxBatchSize: most, maxResponseSize: bytesMax } = limits;
  if (root instanceof Map) {
    const call = root as ReadonlyMap<string, Json>;
    return whenThere(answerSingle(answerOf, call), (answer) => bounded(withLineEnd(answer), call, bytesMax));
  }
  if (!Array.isArray(root) || root.length === 0) return errorResponse(-32600, 'Invalid Request');
  if (most > 0 && root.length > most) {
    return `[${errorResponse(-32005, `Batch size ${root.length} exceeds the limit of ${most}`)}]`;
  }
  const batch = new BatchAnswer(bytesMax);
  const calls = root;
  return unlessFailed(
    () => whenThere(answerBatch(answerOf, calls, batch), () => batch.text),
    (error) => {
      if (error instanceof NoAnswer) return `[${errorResponse(-32603, 'Internal error')}]`;
      throw error;
    },
  );
}

/**
 * Returns the response to a request that the rate limit rejects: an error for each call, with its id. A client that
 * finds no response with the id of its call may wait forever.
 */
export function answerLimited(body: string): string {
  const limited = (id?: string): string => errorResponse(-32005, 'lack of computing resources', id);
  const ofCall = (call: Json): string => (call instanceof Map ? limited(errorId(call)) : limited());
  try {
    const root = hasTooManyElements(body) ? null : readFirstValue(body, JSON_DEPTH_MAX);
    return Array.isArray(root) && root.length > 0 ? `[${root.map(ofCall).join(',')}]` : ofCall(root);
  } catch (error) {
    if (error instanceof JsonLimitError || error instanceof JsonSyntaxError) return limited();
    throw error;
  }
}

/** Runs the calls of a batch one after another. Runs no further call when the response exceeds its size limit. */
function answerBatch(answerOf: AnswerCall, calls: readonly Json[], batch: BatchAnswer): Later<void> {
  return eachInTurns(calls, (call) => {
    if (!(call instanceof Map)) return batch.addRefusal();
    const request = call as ReadonlyMap<string, Json>;
    const answer = batch.isFull ? undefined : answerOne(answerOf, request);
    return whenThere(answer, (text) => batch.add(text, request));
  });
}

/**
 * Collects the responses of a batch up to the size limit. As in java-tron, each response has a final newline, which is
 * included in the size. Reference: JsonRpcServlet.handleBatch
 */
class BatchAnswer {
  private readonly bytesMax: number;
  private readonly answers: string[] = [];
  private bytes = 2;
  isFull = false;

  /** @param bytesMax maximum response size in bytes; 0 means unlimited */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Response text; empty if all calls were notifications. */
  get text(): string {
    return this.answers.length === 0 ? '' : `[${this.answers.join(',')}]`;
  }

  /** Adds the error response for a batch item that is not a JSON object. */
  addRefusal(): void {
    const text = errorResponse(-32600, 'Invalid Request');
    this.takes(text, 0);
    this.answers.push(text);
  }

  add(answer: string | undefined, call: ReadonlyMap<string, Json>): void {
    if (this.isFull) {
      if (call.has('id')) this.answers.push(tooLong(call, this.bytesMax));
    } else if (answer !== undefined) this.answers.push(this.takes(answer, 1) ? answer : tooLong(call, this.bytesMax));
  }

  private takes(text: string, lineEnd: 0 | 1): boolean {
    const bytes = this.bytes + Buffer.byteLength(text) + lineEnd + (this.answers.length > 0 ? 1 : 0);
    this.isFull ||= this.bytesMax > 0 && bytes > this.bytesMax;
    if (!this.isFull) this.bytes = bytes;
    return !this.isFull;
  }
}

function bounded(answer: string, call: ReadonlyMap<string, Json>, bytesMax: number): string {
  const isTooLong = bytesMax > 0 && Buffer.byteLength(answer) > bytesMax;
  return isTooLong ? tooLong(call, bytesMax) : answer;
}

function tooLong(call: ReadonlyMap<string, Json>, bytesMax: number): string {
  return errorResponse(
    -32003,
    `Response exceeds the limit of ${bytesMax} bytes`,
    jacksonText(printValue(call.get('id') ?? null)),
  );
}

function withLineEnd(answer: string | undefined): string {
  return answer === undefined ? '' : `${answer}\n`;
}

/**
 * Runs a single call. Returns undefined if jsonrpc4j sends no response to the call. Such a call in a batch makes the
 * whole batch fail.
 */
function answerSingle(answerOf: AnswerCall, call: ReadonlyMap<string, Json>): Later<string | undefined> {
  try {
    return answerOne(answerOf, call);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** Runs one call. @throws {NoAnswer} jsonrpc4j sends no response to the call */
function answerOne(answerOf: AnswerCall, call: ReadonlyMap<string, Json>): Later<string | undefined> {
  try {
    return answerOf(call);
  } catch (error) {
    if (error instanceof ParameterKindError) return PARSE_ERROR;
    throw error;
  }
}

/**
 * Applies a function to a value, or to the result of a promise. Creates no promise for a synchronous value. Most
 * values are synchronous.
 */
function whenThere<T, R>(value: Later<T>, make: (value: T) => R): Later<R> {
  return value instanceof Promise ? value.then(make) : make(value);
}

/** Returns the result of `make`. If `make` throws or its promise rejects, returns the result of `instead`. */
function unlessFailed<T>(make: () => Later<T>, instead: (error: unknown) => T): Later<T> {
  try {
    const value = make();
    return value instanceof Promise ? value.catch(instead) : value;
  } catch (error) {
    return instead(error);
  }
}

function answerNode(answerOf: AnswerCall, node: Json, depth: number): Later<string | undefined> {
  if (node instanceof Map) return answerOf(node as ReadonlyMap<string, Json>);
  if (!Array.isArray(node) || depth > BATCH_MAX || node.length > BATCH_MAX) return INVALID_REQUEST;
  const answers: string[] = [];
  let length = 0;
  const add = (answer = 'null'): void => {
    length += answer.length;
    answers.push(answer);
  };
  const done = eachInTurns(node, (item: Json) =>
    length > BATCH_LENGTH_MAX ? add(BATCH_TOO_LONG) : whenThere(answerItem(answerOf, item, depth + 1), add),
  );
  return whenThere(done, () => `[${answers.join(',')}]`);
}

/** Runs one call of a batch. A call that would get no response outside of a batch gets a parse error. */
function answerItem(answerOf: AnswerCall, item: Json, depth: number): Later<string | undefined> {
  return unlessFailed(
    () => answerNode(answerOf, item, depth),
    (error) => {
      if (error instanceof NoAnswer || error instanceof ParameterKindError) return PARSE_ERROR;
      throw error;
    },
  );
}

/**
 * Runs one call. For a call to which jsonrpc4j sends no response, or a response without id, returns an error with the
 * id of the call.
 */
function answerIdentified(methods: RpcMethods, call: ReadonlyMap<string, Json>): Later<string | undefined> {
  try {
    return answerCall(methods, call, clearErrorText);
  } catch (error) {
    if (error instanceof NoAnswer) return errorResponse(-32600, 'Invalid Request', errorId(call));
    if (error instanceof ParameterKindError) return errorResponse(-32602, error.message, errorId(call));
    throw error;
  }
}

/** Returns the id of a call for an error response, as JSON text; `null` if the call has no id or an invalid one. */
function errorId(call: ReadonlyMap<string, Json>): string {
  try {
    return jacksonText(idText(call.get('id') ?? null) ?? 'null');
  } catch (error) {
    if (error instanceof NoAnswer) return 'null';
    throw error;
  }
}

function answerCall(
  methods: RpcMethods,
  call: ReadonlyMap<string, Json>,
  shown: (error: unknown) => string,
): Later<string | undefined> {
  const id = idText(call.get('id') ?? null);
  const version = JSON.stringify(versionOf(call.get('jsonrpc') ?? null));
  const head = jacksonText(`{"jsonrpc":${version},"id":${id ?? 'null'}`);
  const name = call.get('method') ?? null;
  const method = typeof name === 'string' ? methods.get(name) : undefined;
  if (method === undefined) return `${head},"error":{"code":-32601,"message":"method not found"}}`;
  const args = parametersOf(call.get('params') ?? null);
  const { parameters, optional = 0 } = method;
  if (args === undefined || args.length > parameters.length || args.length < parameters.length - optional) {
    return `${head},"error":{"code":-32602,"message":"method parameters invalid"}}`;
  }
  const values = parameters.map((read, at) => read(args[at] ?? null));
  return whenThere(run(method, values, shown), (outcome) =>
    id === undefined && outcome.startsWith(RESULT) ? undefined : `${head},${jacksonText(outcome)}}`,
  );
}

function run(method: RpcMethod, values: readonly unknown[], shown: (error: unknown) => string): Later<string> {
  try {
    const result = method.run(...values);
    return result instanceof Promise ? result.then(resultText, shown) : resultText(result);
  } catch (error) {
    return shown(error);
  }
}

/** Start of the text of a successful result. A successful notification gets no response. */
const RESULT = '"result":';

function resultText(result: unknown): string {
  return `${RESULT}${result instanceof RawJson ? result.text : JSON.stringify(result ?? null)}`;
}

/**
 * Maximum length of a numeric id, in characters. java-tron accepts any length and echoes the low 32 bits of the number.
 */
const ID_DIGITS_MAX = 100;

/**
 * Returns the id as JSON text; undefined for a notification. For an integer beyond 64 bits, returns only the low 32
 * bits.
 * @throws {NoAnswer} the id is neither text nor number, or is a number of more than 100 characters
 */
function idText(id: Json): string | undefined {
  if (id === null) return undefined;
  if (typeof id === 'string') return JSON.stringify(id);
  if (!(id instanceof JsonNumber) || id.text.length > ID_DIGITS_MAX) throw new NoAnswer();
  if (!id.isInteger) return id.toJson();
  const number = BigInt(id.text);
  return (BigInt.asIntN(64, number) === number ? number : BigInt.asIntN(32, number)).toString();
}

function versionOf(version: Json): string {
  if (version === null) return '2.0';
  return typeof version === 'object' && !(version instanceof JsonNumber) ? '' : String(version);
}

/**
 * Returns the positional parameters, or undefined for named parameters, which no method supports.
 * @throws {NoAnswer} the parameters are neither a list nor an object
 */
function parametersOf(params: Json): readonly Json[] | undefined {
  if (params === null) return [];
  if (Array.isArray(params)) return params;
  if (params instanceof Map) return params.size === 0 ? [] : undefined;
  throw new NoAnswer();
}
