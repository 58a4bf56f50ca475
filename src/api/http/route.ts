import type { MessageType } from '../../codec/descriptor.js';
import { booleanOf, textOf } from '../../encoding/json/json-casts.js';
import type { JsonLibrary } from '../../encoding/json/json-library.js';
import type { JsonObject } from '../../encoding/json/json-value.js';
import { parseJsonObject } from '../../encoding/json/parse-json.js';
import { readMessage } from '../../encoding/json/read-message.js';
import { nullPointer } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { HttpEndpoint } from '../endpoints/endpoint-definition.js';
import type { HttpCall } from './http-call.js';

/**
 * Text of a response without the final newline. Undefined means an empty body. A failed handler throws an error
 * instead.
 */
type Text = string | undefined | Promise<string>;
export type RouteAnswer = (call: HttpCall) => Text;

/** Implementation of an operation. `get` and `post` correspond to the methods of a Java servlet. */
export interface Handler {
  /** Handler of GET requests. With the value `empty`, a GET request is allowed and gets an empty response. */
  readonly get?: RouteAnswer | 'empty';
  readonly post?: RouteAnswer;
}

/**
 * Type of a table with one handler for each entry of a table of `src/api/endpoints`. A missing handler is a compile
 * error.
 */
export type HandlersOf<Rows extends object> = Readonly<Record<keyof Rows, Handler>>;

/** An operation and its handler. */
export interface Route extends HttpEndpoint, Handler {
  /** Name of the Java servlet without the suffix `Servlet`. */
  readonly family: string;
}

/** Body of a POST request, and the value of its JSON member `visible`. Reference: PostParams. */
export interface Posted {
  readonly text: string;
  readonly json: JsonLibrary;
  readonly visible: boolean;
}

/** Reads the body of a POST request. @throws {JavaError} the body is malformed */
export function posted(call: HttpCall): Posted {
  const text = call.bodyOrForm();
  return { text, json: call.json, visible: visibleOf(text, call.json) };
}

/**
 * Returns the member `visible` of a JSON body; false for a blank body. Reference: Util.getVisiblePost.
 * @throws {JavaError} the body is no JSON object, or the value is not a boolean
 */
export function visibleOf(text: string, json: JsonLibrary): boolean {
  if (isBlank(text)) return false;
  const object = parseJsonObject(text, json);
  if (object === null) throw nullPointer();
  return visibleIn(object);
}

/**
 * Returns the member `visible` of an object; false if absent.
 * @throws {JavaError} the release uses fastjson, and the value is not a boolean
 */
export function visibleIn(object: JsonObject): boolean {
  if (!object.has('visible')) return false;
  return object.library === 'jackson'
    ? textOf(object, 'visible')?.toLowerCase() === 'true'
    : booleanOf(object, 'visible');
}

/** Decodes the body as a message of the schema. @throws {JavaError} the body cannot be converted to the message type */
export function readPosted<T extends object>(
  call: HttpCall,
  { text, visible }: Pick<Posted, 'text' | 'visible'>,
  type: MessageType<T>,
): T {
  return readMessage(text, type, call.print(visible));
}

/**
 * Returns a handler that sends an empty body if the operation fails. Used for operations whose exceptions java-tron
 * does not catch.
 */
export function silent(answer: RouteAnswer): RouteAnswer {
  return (call) => {
    try {
      return answer(call);
    } catch (error) {
      if (javaError(error) === undefined) throw error;
      return undefined;
    }
  };
}

/** Parses the body as a JSON object; null for a blank body. */
export function parsedBody({ text, json }: Posted): JsonObject | null {
  return parseJsonObject(text, json);
}

/** Creates a handler for GET and POST requests. GET and POST differ only in how they pass the arguments. */
export function both<A>(parts: {
  readonly get: (call: HttpCall, visible: boolean) => A;
  readonly post: (call: HttpCall, body: Posted) => A;
  readonly run: (call: HttpCall, args: A, visible: boolean) => string;
}): Handler {
  return {
    get: (call) => {
      const { visible } = call;
      return parts.run(call, parts.get(call, visible), visible);
    },
    post: (call) => {
      const body = posted(call);
      return parts.run(call, parts.post(call, body), body.visible);
    },
  };
}

/** Creates a handler that treats a POST request like a GET request. The handler does not read the body. */
export function plain(run: (call: HttpCall, visible: boolean) => string): Handler {
  const answer: RouteAnswer = (call) => run(call, call.visible);
  return { get: answer, post: answer };
}
