import type { MessageType } from '../../codec/descriptor.js';
import { booleanOf, textOf } from '../../encoding/json/json-casts.js';
import type { JsonLibrary } from '../../encoding/json/json-library.js';
import type { JsonObject } from '../../encoding/json/json-value.js';
import { parseJsonObject } from '../../encoding/json/parse-json.js';
import { printMessage } from '../../encoding/json/print-message.js';
import { readMessage } from '../../encoding/json/read-message.js';
import { nullPointer } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { HttpEndpoint } from '../endpoints/endpoint-definition.js';
import type { HttpCall } from './http-call.js';

/** Text of an answer, without the line end behind it; undefined: an empty body. Failures are thrown. */
type Text = string | undefined | Promise<string>;
export type RouteAnswer = (call: HttpCall) => Text;

/** What answers an operation. Reference: the methods of a servlet. */
export interface Handler {
  /** `empty`: defined, but answers nothing. */
  readonly get?: RouteAnswer | 'empty';
  readonly post?: RouteAnswer;
}

/** A handler for each row of a table of `src/api/endpoints`; that one is missing does not compile. */
export type HandlersOf<Rows extends object> = Readonly<Record<keyof Rows, Handler>>;

/** An operation with its handler. */
export interface Route extends HttpEndpoint, Handler {
  /** Reference: the servlet `<family>Servlet`. */
  readonly family: string;
}

/** Body of a request and its `visible`. Reference: PostParams. */
export interface Posted {
  readonly text: string;
  readonly json: JsonLibrary;
  readonly visible: boolean;
}

/** @throws {JavaError} */
export function posted(call: HttpCall): Posted {
  const text = call.bodyOrForm();
  return { text, json: call.json, visible: visibleOf(text, call.json) };
}

/** `visible` of a body's top level; false when it is blank. Reference: Util.getVisiblePost. @throws {JavaError} */
export function visibleOf(text: string, json: JsonLibrary): boolean {
  if (isBlank(text)) return false;
  const object = parseJsonObject(text, json);
  if (object === null) throw nullPointer();
  return visibleIn(object);
}

/** @throws {JavaError} */
export function visibleIn(object: JsonObject): boolean {
  if (!object.has('visible')) return false;
  return object.library === 'jackson'
    ? textOf(object, 'visible')?.toLowerCase() === 'true'
    : booleanOf(object, 'visible');
}

/** Reads the body as a message. @throws {JavaError} */
export function readPosted<T extends object>(
  call: HttpCall,
  { text, visible }: Pick<Posted, 'text' | 'visible'>,
  type: MessageType<T>,
): T {
  return readMessage(text, type, call.print(visible));
}

/** A message in field order, `{}` for none. */
export function printOrEmpty(message: object | undefined, visible: boolean): string {
  return message === undefined ? '{}' : printMessage(message, visible);
}

/** An answer whose failures leave the body empty, where the handler catches nothing. */
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

/** A JSON object of a body that handlers read members of. */
export function parsedBody({ text, json }: Posted): JsonObject | null {
  return parseJsonObject(text, json);
}

/** A handler for both methods: each reads the arguments in its own way. */
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

/** A handler whose POST runs its GET: the body is not read. */
export function plain(run: (call: HttpCall, visible: boolean) => string): Handler {
  const answer: RouteAnswer = (call) => run(call, call.visible);
  return { get: answer, post: answer };
}
