import { describeError, JavaError, javaError, nullPointer } from '../java/java-error.js';
import { booleanOf, textOf } from '../json/json-casts.js';
import { jsonObject } from '../json/json-value.js';
import { parseJsonObject } from '../json/parse-json.js';
import { printMessage } from '../json/print-message.js';
import { readMessage } from '../json/read-message.js';
/** @throws {JavaError} */
export function posted(call) {
    const text = call.bodyOrForm();
    return { text, json: call.json, visible: visibleOf(text, call.json) };
}
/** `visible` of a body's top level; false when it is blank. Reference: Util.getVisiblePost. @throws {JavaError} */
export function visibleOf(text, json) {
    if (text.trim() === '')
        return false;
    const object = parseJsonObject(text, json);
    if (object === null)
        throw nullPointer();
    return visibleIn(object);
}
/** @throws {JavaError} */
export function visibleIn(object) {
    if (!object.has('visible'))
        return false;
    return object.library === 'jackson'
        ? textOf(object, 'visible')?.toLowerCase() === 'true'
        : booleanOf(object, 'visible');
}
/** Reads the body as a message. @throws {JavaError} */
export function readPosted(call, { text, visible }, type) {
    return readMessage(text, type, call.print(visible));
}
/** A message in field order, `{}` for none. */
export function printOrEmpty(message, visible) {
    return message === undefined ? '{}' : printMessage(message, visible);
}
/** Runs an answer; what it throws becomes the text that the reference shows. @throws an error of this program */
export function runAnswer(answer, call) {
    try {
        const text = answer(call);
        return text instanceof Promise ? text.catch((error) => shownError(error, call)) : text;
    }
    catch (error) {
        return shownError(error, call);
    }
}
function shownError(error, call) {
    const text = describeError(error);
    if (text === undefined)
        throw error;
    if (isStackOverflow(error))
        return undefined;
    return call.show(jsonObject({ Error: text }));
}
/** An error of Java that no handler catches: the answer stays empty. */
function isStackOverflow(error) {
    return error instanceof JavaError && error.javaClass === 'java.lang.StackOverflowError';
}
/** An answer whose failures leave the body empty, where the handler catches nothing. */
export function silent(answer) {
    return (call) => {
        try {
            return answer(call);
        }
        catch (error) {
            if (javaError(error) === undefined)
                throw error;
            return undefined;
        }
    };
}
/** A JSON object of a body that handlers read members of. */
export function parsedBody({ text, json }) {
    return parseJsonObject(text, json);
}
/** A handler for both methods: each reads the arguments in its own way. */
export function both(head, parts) {
    return {
        ...head,
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
export function plain(head, run) {
    const answer = (call) => run(call, call.visible);
    return { ...head, get: answer, post: answer };
}
//# sourceMappingURL=route.js.map