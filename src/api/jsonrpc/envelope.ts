import { JavaError, javaError } from '../java/java-error.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type Json, JsonNumber, JsonSyntaxError, readFirstValue } from './json-text.js';
import type { ReadParameter } from './parameters.js';
import { ParameterKindError, RpcError } from './rpc-error.js';

/** A method with the kinds of its parameters. */
export interface RpcMethod {
  readonly parameters: readonly ReadParameter<unknown>[];
  /** Parameters at the end that may be left out, which makes them null. The reference's methods have none. */
  readonly optional?: number;
  /** The result, or a promise of it where another thread makes it. @throws {RpcError | JavaError | ChainError} */
  run(...values: unknown[]): unknown;
}

export type RpcMethods = ReadonlyMap<string, RpcMethod>;
export type RpcEntry = readonly [name: string, method: RpcMethod];

/** A row of the table of methods: its function takes what its readers give. */
export function method<P extends readonly unknown[]>(
  name: string,
  parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
  run: (...values: P) => unknown,
  optional = 0,
): RpcEntry {
  // Parameters of a method are of the kinds that its readers give.
  return [name, { parameters, optional, run: (...values) => run(...(values as unknown as P)) }];
}

/** A result that is JSON text already. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Calls in one batch: all of them are executed before anything else is served. */
const BATCH_MAX = 1_000;
const PARSE_ERROR = '{"jsonrpc":"2.0","id":"null","error":{"code":-32700,"message":"JSON parse error"}}';
const INVALID_REQUEST = '{"jsonrpc":"2.0","id":"null","error":{"code":-32600,"message":"invalid request"}}';

/** Thrown by jsonrpc4j out of a request whose parameters are no list, or whose id is none: nothing is answered at all. */
class NoAnswer extends Error {}

/** What is there, or comes. */
type Later<T> = T | Promise<T>;

/** Calls in one batch where the release bounds them. Reference: node.jsonrpc.maxBatchSize */
const OWN_BATCH_MAX = 100;

/** Text that answers a request; empty for none. Reference: JsonRpcServer of jsonrpc4j; from 4.8.2 on JsonRpcServlet around it. */
export function answerRequest(methods: RpcMethods, body: string, { ownRpcEnvelope }: ApiRelease): Later<string> {
  if (ownRpcEnvelope) return answerChecked(methods, body);
  try {
    return whenThere(answerNode(methods, readFirstValue(body), 0), (answer) =>
      answer === undefined ? '' : `${answer}\n`,
    );
  } catch (error) {
    if (error instanceof NoAnswer) return '';
    if (error instanceof JsonSyntaxError || error instanceof ParameterKindError) return `${PARSE_ERROR}\n`;
    throw error;
  }
}

/** As the servlet of later releases: what is no request is answered before a method is looked for. */
function answerChecked(methods: RpcMethods, body: string): Later<string> {
  let root: Json;
  try {
    root = readFirstValue(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refusal(-32700, 'JSON parse error');
    throw error;
  }
  if (root instanceof Map) return whenThere(answerOne(methods, root as ReadonlyMap<string, Json>), withLineEnd);
  if (!Array.isArray(root) || root.length === 0) return refusal(-32600, 'Invalid Request');
  if (root.length > OWN_BATCH_MAX) {
    return `[${refusal(-32005, `Batch size ${root.length} exceeds the limit of ${OWN_BATCH_MAX}`)}]`;
  }
  const items = root.map((item: Json) =>
    item instanceof Map ? answerOne(methods, item as ReadonlyMap<string, Json>) : refusal(-32600, 'Invalid Request'),
  );
  const all = items.some((item) => item instanceof Promise) ? Promise.all(items) : (items as (string | undefined)[]);
  return whenThere(all, (answers) => {
    const given = answers.filter((answer) => answer !== undefined);
    return given.length === 0 ? '' : `[${given.join(',')}]`;
  });
}

function withLineEnd(answer: string | undefined): string {
  return answer === undefined ? '' : `${answer}\n`;
}

function answerOne(methods: RpcMethods, call: ReadonlyMap<string, Json>): Later<string | undefined> {
  try {
    return answerCall(methods, call, shortErrorText);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    if (error instanceof ParameterKindError) return PARSE_ERROR;
    throw error;
  }
}

function refusal(code: number, message: string): string {
  return `{"jsonrpc":"2.0","error":{"code":${code},"message":${JSON.stringify(message)}},"id":null}`;
}

/** Nearly all answers are there at once: a promise for each would cost more than making them. */
function whenThere<T, R>(value: Later<T>, make: (value: T) => R): Later<R> {
  return value instanceof Promise ? value.then(make) : make(value);
}

function answerNode(methods: RpcMethods, node: Json, depth: number): Later<string | undefined> {
  if (node instanceof Map) return answerCall(methods, node as ReadonlyMap<string, Json>);
  if (!Array.isArray(node) || depth > BATCH_MAX || node.length > BATCH_MAX) return INVALID_REQUEST;
  const items = node.map((item: Json) => answerNode(methods, item, depth + 1));
  const all = items.some((item) => item instanceof Promise) ? Promise.all(items) : (items as (string | undefined)[]);
  return whenThere(all, (answers) => `[${answers.map((answer) => answer ?? 'null').join(',')}]`);
}

function answerCall(
  methods: RpcMethods,
  call: ReadonlyMap<string, Json>,
  shown: (error: unknown) => string = errorText,
): Later<string | undefined> {
  const id = idText(call.get('id') ?? null);
  const head = `{"jsonrpc":${JSON.stringify(versionOf(call.get('jsonrpc') ?? null))},"id":${id ?? 'null'}`;
  const name = call.get('method') ?? null;
  const method = typeof name === 'string' ? methods.get(name) : undefined;
  if (method === undefined) return `${head},"error":{"code":-32601,"message":"method not found"}}`;
  const given = parametersOf(call.get('params') ?? null);
  const { parameters, optional = 0 } = method;
  if (given === undefined || given.length > parameters.length || given.length < parameters.length - optional) {
    return `${head},"error":{"code":-32602,"message":"method parameters invalid"}}`;
  }
  const values = parameters.map((read, at) => read(given[at] ?? null));
  return whenThere(run(method, values, shown), (outcome) => (id === undefined ? undefined : `${head},${outcome}}`));
}

function run(method: RpcMethod, values: readonly unknown[], shown: (error: unknown) => string): Later<string> {
  try {
    const result = method.run(...values);
    return result instanceof Promise ? result.then(resultText, shown) : resultText(result);
  } catch (error) {
    return shown(error);
  }
}

function resultText(result: unknown): string {
  return `"result":${result instanceof RawJson ? result.text : JSON.stringify(result ?? null)}`;
}

function errorText(error: unknown): string {
  if (error instanceof RpcError) {
    return `"error":{"code":${error.number},"message":${JSON.stringify(error.text)},"data":${JSON.stringify(error.data)}}`;
  }
  const { javaClass, text } = javaError(error) ?? unexpected(error);
  const message = JSON.stringify(text);
  const shown = JSON.stringify(javaClass);
  return `"error":{"code":-32001,"message":${message},"data":{"exceptionTypeName":${shown},"message":${message}}}`;
}

/** As later releases say it: of an exception that no method expects only the class. */
function shortErrorText(error: unknown): string {
  if (error instanceof RpcError) return errorText(error);
  const { javaClass, text } = javaError(error) ?? unexpected(error);
  return `"error":{"code":-32001,"message":${JSON.stringify(text)},"data":${JSON.stringify(javaClass)}}`;
}

/** An error of this program must not end the server, and its text is nobody's business. */
function unexpected(error: unknown): JavaError {
  if (error instanceof ParameterKindError) throw error;
  return new JavaError('java.lang.RuntimeException', 'internal error');
}

/** Undefined for a notification. An integer beyond 64 bits keeps its low 32. @throws {NoAnswer} neither text nor number */
function idText(id: Json): string | undefined {
  if (id === null) return undefined;
  if (typeof id === 'string') return JSON.stringify(id);
  if (!(id instanceof JsonNumber)) throw new NoAnswer();
  if (!id.isInteger) return id.toString();
  const number = BigInt(id.text);
  return (BigInt.asIntN(64, number) === number ? number : BigInt.asIntN(32, number)).toString();
}

function versionOf(version: Json): string {
  if (version === null) return '2.0';
  return typeof version === 'object' && !(version instanceof JsonNumber) ? '' : String(version);
}

/** Undefined for parameters by name, which no method has. */
function parametersOf(params: Json): readonly Json[] | undefined {
  if (params === null) return [];
  if (Array.isArray(params)) return params;
  if (params instanceof Map) return params.size === 0 ? [] : undefined;
  throw new NoAnswer();
}
