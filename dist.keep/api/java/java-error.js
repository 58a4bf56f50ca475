import { ProtobufError } from '../../log/codec/reader.js';
import { TronError } from '../../log/domain/errors.js';
import { ArithmeticError } from '../../log/domain/int64.js';
import { ChainError } from '../../vm/errors.js';
import { VmError } from '../../vm/interpreter/vm-error.js';
import { javaClassOf } from '../../vm/java-class.js';
/** A failure with the class name and the text that callers of the reference see. */
export class JavaError extends TronError {
    javaClass;
    /** Null where the reference's exception has no text. */
    text;
    constructor(javaClass, text = null) {
        super(javaClass, text ?? '');
        this.javaClass = javaClass;
        this.text = text;
    }
}
export function nullPointer(text = null) {
    return new JavaError('java.lang.NullPointerException', text);
}
export function illegalArgument(text) {
    return new JavaError('java.lang.IllegalArgumentException', text);
}
/** @throws {JavaError} */
export function badItem(text) {
    throw new JavaError('org.tron.core.exception.BadItemException', text);
}
/** What the reference prints of an exception, `class <name> : <text>`; undefined for an error of this program. */
export function describeError(error) {
    const found = javaError(error);
    return found === undefined ? undefined : `class ${found.javaClass} : ${found.text}`;
}
/** The exception of the reference that an error stands for; undefined for an error of this program. */
export function javaError(error) {
    if (error instanceof JavaError)
        return error;
    if (error instanceof ChainError)
        return new JavaError(javaClassOf(error.exception), error.text);
    if (error instanceof ArithmeticError)
        return new JavaError('java.lang.ArithmeticException', error.message);
    if (error instanceof VmError)
        return new JavaError(error.javaClass, error.text);
    if (error instanceof ProtobufError) {
        return new JavaError('com.google.protobuf.InvalidProtocolBufferException', error.message);
    }
    return undefined;
}
/** True for a refusal by a contract's rules, which some replies show in another form. */
export function isValidateError(error) {
    return error.javaClass === 'org.tron.core.exception.ContractValidateException';
}
//# sourceMappingURL=java-error.js.map