import { utf8 } from '../../log/domain/bytes.js';
import { addressOfText } from '../java/address-text.js';
import { JavaError, javaError, nullPointer } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { enumNames } from './enum-names.js';
import { MessageTokens } from './message-tokens.js';
import { visibleForm } from './visible-fields.js';
/**
 * Reads a message from JSON as the reference does. Unknown members are passed over.
 * Reference: JsonFormat.merge. @throws {JavaError} ParseException and what odd values lead to
 */
export function readMessage(text, type, options) {
    if (text === null)
        throw nullPointer();
    return new MessageReader(text, options).readAll(type);
}
/** Deeper unknown members end Java's stack, which no handler shows. */
const DEPTH_MAX = 1000;
class MessageReader {
    tokens;
    options;
    depth = 0;
    constructor(text, options) {
        this.tokens = new MessageTokens(text);
        this.options = options;
    }
    readAll(type) {
        const { tokens } = this;
        const message = new type();
        tokens.expect('{');
        while (!tokens.take('}')) {
            this.readFields(type, message);
            if (this.options.release.depthMax !== undefined)
                tokens.take(',');
        }
        if (!tokens.isAtEnd) {
            throw tokens.error('Expecting the end of the stream, but there seems to be more data!  Check the input for a valid JSON format.');
        }
        return message;
    }
    /** Members up to one that no comma follows; by later releases one, behind which the caller passes a comma. */
    readFields(type, message) {
        do
            this.readField(type, message);
        while (this.options.release.depthMax === undefined && this.tokens.take(','));
    }
    /** Reference: JsonFormat.Tokenizer.enterRecursion. */
    enter() {
        const { depthMax } = this.options.release;
        if (depthMax !== undefined && this.depth >= depthMax)
            throw this.tokens.error('Hit recursion limit.');
        if (++this.depth > DEPTH_MAX)
            throw new JavaError('java.lang.StackOverflowError');
    }
    readField(type, message) {
        const { tokens } = this;
        const name = tokens.identifier();
        let field = type.$fields.find((candidate) => candidate.name === name);
        const isByNumber = field === undefined && /^[0-9]$/.test(name);
        if (isByNumber)
            field = type.$fields.find(({ id }) => id === Number(name));
        if (field === undefined) {
            this.skipValue();
            return;
        }
        tokens.expect(':');
        const found = field;
        this.readEach(() => this.readValue(type, message, found, isByNumber));
    }
    /** One value, or a list of them, whatever the field holds. */
    readEach(read) {
        const { tokens } = this;
        if (!tokens.take('[')) {
            read();
            return;
        }
        while (!tokens.take(']')) {
            read();
            tokens.take(',');
        }
    }
    readValue(type, message, field, isByNumber) {
        if (field.key !== undefined) {
            this.readEntry(type, message, field);
            return;
        }
        const value = field.kind === 'message' ? this.readObject(field, isByNumber) : this.readPrimitive(type.$name, field, field.kind);
        if (value === undefined)
            return;
        const target = message;
        if (field.repeated === true)
            target[field.prop].push(value);
        else
            target[field.prop] = typeof target[field.prop] === 'number' ? Number(value) : value;
    }
    readObject(field, isByNumber) {
        const { tokens } = this;
        const type = field.message();
        if (isByNumber)
            return type.decode(this.readBytes('', field));
        const message = new type();
        tokens.expect('{');
        this.enter();
        while (!tokens.take('}')) {
            if (tokens.isAtEnd)
                throw tokens.error('Expected "}".');
            this.readFields(type, message);
            tokens.take(',');
        }
        this.depth--;
        return message;
    }
    /** An entry of a map: a message with the fields `key` and `value`. */
    readEntry(type, message, field) {
        const { tokens } = this;
        let key = field.key === 'string' ? '' : 0n;
        let value = field.kind === 'message' ? new (field.message())() : 0n;
        tokens.expect('{');
        while (!tokens.take('}')) {
            if (tokens.isAtEnd)
                throw tokens.error('Expected "}".');
            do {
                const name = tokens.identifier();
                const isKey = name === 'key' || name === '1';
                if (!isKey && name !== 'value' && name !== '2') {
                    this.skipValue();
                    continue;
                }
                tokens.expect(':');
                this.readEach(() => {
                    if (isKey)
                        key = this.readPrimitive(type.$name, field, field.key) ?? key;
                    else if (field.kind === 'message')
                        value = this.readObject(field, name === '2');
                    else
                        value = this.readPrimitive(type.$name, field, field.kind) ?? value;
                });
            } while (tokens.take(','));
        }
        message[field.prop].set(key, value);
    }
    /** @returns undefined for `null`, which leaves the field as it is */
    readPrimitive(owner, field, kind) {
        const { tokens } = this;
        if (tokens.take('null'))
            return undefined;
        switch (kind) {
            case 'int32':
                return Number(tokens.integer(32));
            case 'int64':
                return tokens.integer(64);
            case 'double':
                return tokens.double();
            case 'bool':
                return tokens.boolean();
            case 'string':
                return tokens.string();
            case 'bytes':
                return this.readBytes(owner, field);
            default:
                return this.readEnum(field);
        }
    }
    readEnum({ values }) {
        const { tokens } = this;
        const { fullName, byNumber } = enumNames(values);
        if (tokens.isInteger) {
            const number = Number(tokens.integer(32));
            if (byNumber.has(number))
                return number;
            throw tokens.errorBefore(`Enum type "${fullName}" has no value with number ${number}.`);
        }
        let name = tokens.identifier();
        if (/^\p{Ll}+$/u.test(name))
            name = String.fromCharCode(name.charCodeAt(0) - 32) + name.slice(1);
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (value === undefined)
            throw tokens.errorBefore(`Enum type "${fullName}" has no value named "${name}".`);
        return value;
    }
    readBytes(owner, field) {
        const text = this.tokens.quoted();
        const form = this.options.visible ? visibleForm(owner, field.name) : undefined;
        const bytes = form === 'address'
            ? this.addressOf(text, `${owner}.${field.name}`)
            : form === 'text'
                ? utf8(text)
                : this.hexBytes(text);
        this.tokens.advance();
        return bytes;
    }
    addressOf(text, field) {
        const { namesBadAddresses } = this.options.release;
        try {
            const address = addressOfText(text, this.options);
            if (address !== undefined)
                return address;
        }
        catch (error) {
            if (!namesBadAddresses)
                throw this.tokens.error(`INVALID base58 String, ${javaError(error)?.text}`);
        }
        throw namesBadAddresses ? this.tokens.error(`invalid address for field: ${field}`) : nullPointer();
    }
    hexBytes(text) {
        try {
            return bytesOfHex(text);
        }
        catch {
            throw this.tokens.error('INVALID hex String');
        }
    }
    /** Reference: JsonFormat.handleMissingField. */
    skipValue() {
        const { tokens } = this;
        tokens.take(':');
        if (tokens.take('{')) {
            this.enter();
            do {
                tokens.identifier();
                this.skipValue();
            } while (tokens.take(','));
            tokens.expect('}');
            this.depth--;
        }
        else if (tokens.take('[')) {
            this.enter();
            do
                this.skipValue();
            while (tokens.take(','));
            tokens.expect(']');
            this.depth--;
        }
        else if (tokens.take('null')) {
            // Nothing to pass over.
        }
        else if (tokens.isInteger)
            tokens.integer(64);
        else if (tokens.current === 'true' || tokens.current === 'false')
            tokens.advance();
        else
            tokens.string();
    }
}
//# sourceMappingURL=read-message.js.map