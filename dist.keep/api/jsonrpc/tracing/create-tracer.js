import { JsonNumber } from '../json-text.js';
import { invalidParams } from '../rpc-error.js';
import { CallTracer } from './call-tracer.js';
import { StructTracer } from './struct-tracer.js';
/** The tracer that a call asks for; without a name the struct logger. @throws {RpcError} another name, or no object */
export function createTracer(config, limits) {
    const members = membersOf(config, 'the options of a trace');
    for (const other of ['stateOverrides', 'blockOverrides']) {
        if ((members.get(other) ?? null) !== null)
            throw invalidParams(`${other} is not supported`);
    }
    const name = members.get('tracer') ?? '';
    if (name === 'callTracer') {
        const own = membersOf(members.get('tracerConfig') ?? null, 'tracerConfig');
        return new CallTracer({ onlyTopCall: own.get('onlyTopCall') === true, withLog: own.get('withLog') === true }, limits);
    }
    if (name !== '')
        throw invalidParams('the tracers of this node are callTracer and, without a name, the struct logger');
    const limit = members.get('limit');
    const options = {
        disableStack: members.get('disableStack') === true,
        disableStorage: members.get('disableStorage') === true,
        enableMemory: members.get('enableMemory') === true,
        enableReturnData: members.get('enableReturnData') === true,
        limit: limit instanceof JsonNumber ? Math.max(0, Number(limit.text)) : 0,
    };
    return new StructTracer(options, limits);
}
function membersOf(value, what) {
    if (value === null)
        return new Map();
    if (value instanceof Map)
        return value;
    throw invalidParams(`${what} must be an object`);
}
//# sourceMappingURL=create-tracer.js.map