import { type Json, JsonNumber } from '../json-text.js';
import { invalidParams } from '../rpc-error.js';
import { CallTracer } from './call-tracer.js';
import { FourByteTracer } from './four-byte-tracer.js';
import { StructTracer } from './struct-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { Tracer } from './tracer.js';

type Members = ReadonlyMap<string, Json>;

/** The tracer that a call asks for; without a name the struct logger. @throws {RpcError} another name, or no object */
export function createTracer(config: Json, limits: TraceLimits): Tracer {
  const members = membersOf(config, 'the options of a trace');
  for (const other of ['stateOverrides', 'blockOverrides']) {
    if ((members.get(other) ?? null) !== null) throw invalidParams(`${other} is not supported`);
  }
  const name = members.get('tracer') ?? '';
  if (name === 'callTracer') {
    const own = membersOf(members.get('tracerConfig') ?? null, 'tracerConfig');
    return new CallTracer(
      { onlyTopCall: own.get('onlyTopCall') === true, withLog: own.get('withLog') === true },
      limits,
    );
  }
  if (name === '4byteTracer') return new FourByteTracer(limits);
  if (name !== '')
    throw invalidParams('the tracers of this node are callTracer, 4byteTracer and, without a name, the struct logger');
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

function membersOf(value: Json, what: string): Members {
  if (value === null) return new Map();
  if (value instanceof Map) return value as Members;
  throw invalidParams(`${what} must be an object`);
}
