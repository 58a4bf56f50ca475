import { JavaError } from '../java/java-error.js';
import { ELEMENTS_MAX, hasTooManyElements } from '../json/element-limit.js';
import { JsonObject, printJson } from '../json/json-value.js';
import { parseJson } from '../json/parse-json.js';
import { readPairs, readParameters } from './parameters.js';
/** One request as the answer functions see it. */
export class HttpCall {
    services;
    view;
    method;
    request;
    parameters;
    constructor(services, view, request) {
        this.services = services;
        this.view = view;
        this.request = request;
        this.method = request.method;
    }
    get isHead() {
        return this.request.isHead;
    }
    get api() {
        return this.services.api;
    }
    /** What reads and prints JSON. */
    get json() {
        return this.api.settings.release.json;
    }
    /** First value of a parameter of the query, or of a form body; null when there is none. @throws {JavaError} */
    parameter(name) {
        this.parameters ??= this.readParameters();
        return this.parameters.get(name) ?? null;
    }
    /** `visible` of the query: anything but `true` is false. Reference: Util.getVisible. */
    get visible() {
        return this.parameter('visible')?.toLowerCase() === 'true';
    }
    /** Whether a GET asks for numbers of 64 bits as texts. Reference: RateLimiterServlet.service, Util.getInt64AsString */
    get quotesInt64() {
        const { quotesInt64 } = this.api.settings.release;
        return quotesInt64 && this.method === 'GET' && this.parameter('int64_as_string')?.toLowerCase() === 'true';
    }
    /** Text of the body, lines ending with `\n`. Reference: PostParams, Util.checkBodySize. @throws {JavaError} */
    body() {
        const text = this.text();
        const max = this.api.settings.bodyBytesMax;
        if (this.request.body === undefined || (text.length * 3 > max && Buffer.byteLength(text) > max)) {
            throw new JavaError('java.lang.Exception', `body size is too big, the limit is ${max}`);
        }
        return checkElements(text);
    }
    /** As `body`, a form as an object where the release reads forms. Reference: PostParams. @throws {JavaError} */
    bodyOrForm() {
        const text = this.body();
        const isRead = this.request.readsForms && this.request.type === FORM_TYPE;
        return isRead && text !== '' && !isJson(text) ? this.show(formObject(text)) : text;
    }
    /** As `body`, of any size up to what the server keeps. @throws {JavaError} */
    bodyUnchecked() {
        return checkElements(this.text());
    }
    text() {
        // The container has read a form's body as parameters by now, and gives it only once.
        if (this.isForm && this.parameters !== undefined)
            throw new JavaError('java.lang.IllegalStateException', 'STREAMED');
        if (this.request.body === undefined)
            return '';
        const text = decoder.decode(this.request.body);
        return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).replace(/\n$/, '');
    }
    /** Whether the parameters can be read at all. */
    hasReadableQuery() {
        try {
            this.parameter('');
            return true;
        }
        catch (error) {
            if (error instanceof JavaError)
                return false;
            throw error;
        }
    }
    show(value) {
        return printJson(value, this.json);
    }
    print(visible) {
        return { visible, release: this.api.settings.release, addressPrefix: this.api.settings.addressPrefix };
    }
    /** Whether the container reads the body as parameters. */
    get isForm() {
        return this.method === 'POST' && this.request.type.toLowerCase().startsWith(FORM_TYPE);
    }
    get hasType() {
        return this.request.type.trim() !== '';
    }
    readParameters() {
        const { query, body } = this.request;
        const form = this.isForm && body !== undefined ? decoder.decode(body) : undefined;
        return readParameters(query, form);
    }
}
function checkElements(text) {
    if (!hasTooManyElements(text))
        return text;
    throw new JavaError('java.lang.Exception', `body has too many elements, the limit is ${ELEMENTS_MAX}`);
}
const FORM_TYPE = 'application/x-www-form-urlencoded';
function isJson(text) {
    try {
        parseJson(text, 'jackson');
        return true;
    }
    catch (error) {
        if (error instanceof JavaError)
            return false;
        throw error;
    }
}
/** Parameters as members: a text, or a list where one comes again. */
function formObject(text) {
    const object = new JsonObject();
    for (const [name, value] of readPairs(text, 'form content')) {
        const before = object.get(name);
        if (before === undefined)
            object.set(name, value);
        else
            object.set(name, Array.isArray(before) ? [...before, value] : [before, value]);
    }
    return object;
}
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
//# sourceMappingURL=http-call.js.map