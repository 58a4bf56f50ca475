import { type Json, JsonNumber } from '../json-text.js';
import { invalidParams } from '../rpc-error.js';
import { CallTracer } from './call-tracer.js';
import { FlatCallTracer } from './flat-call-tracer.js';
import { FourByteTracer } from './four-byte-tracer.js';
import { MuxTracer } from './mux-tracer.js';
import { PrestateTracer } from './prestate-tracer.js';
import { StructTracer } from './struct-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedPosition, Tracer } from './tracer.js';

type Members = ReadonlyMap<string, Json>;

/** Position that geth prints for a call that is not part of a block. */
export const NOWHERE: TracedPosition = {
  blockHash: null,
  blockNumber: 0,
  transactionHash: null,
  transactionPosition: 0,
};

/** Limits of the request, and position of the traced transaction in its block. */
interface TracerContext {
  readonly limits: TraceLimits;
  readonly place: TracedPosition;
}

type Make = (config: Members, context: TracerContext) => Tracer;

const TRACERS: ReadonlyMap<string, Make> = new Map<string, Make>([
  [
    'callTracer',
    (config, { limits }) =>
      new CallTracer({ onlyTopCall: isSet(config, 'onlyTopCall'), withLog: isSet(config, 'withLog') }, limits),
  ],
  ['prestateTracer', (config, { limits }) => new PrestateTracer(prestateOptions(config), limits)],
  [
    'flatCallTracer',
    (config, { limits, place }) =>
      new FlatCallTracer(
        {
          convertsErrors: isSet(config, 'convertParityErrors'),
          includesPrecompiles: isSet(config, 'includePrecompiles'),
          showsNoResult: false,
        },
        place,
        limits,
      ),
  ],
  ['4byteTracer', (_, { limits }) => new FourByteTracer(limits)],
  ['muxTracer', muxTracer],
  ['noopTracer', () => new MuxTracer(new Map())],
]);

/**
 * Creates the tracer that a request names. Without a name, creates the struct logger, as geth does.
 * @throws {RpcError} the options are invalid
 */
export function createTracer(config: Json, context: TracerContext): Tracer {
  const members = membersOf(config, 'trace options');
  const name = members.get('tracer') ?? '';
  if (name !== '') return makeTracer(name, members.get('tracerConfig') ?? null, context);
  const limit = members.get('limit');
  const options = {
    disableStack: isSet(members, 'disableStack'),
    disableStorage: isSet(members, 'disableStorage'),
    enableMemory: isSet(members, 'enableMemory'),
    enableReturnData: isSet(members, 'enableReturnData'),
    limit: limit instanceof JsonNumber ? Math.max(0, Number(limit.text)) : 0,
  };
  return new StructTracer(options, context.limits);
}

/** Returns a value of the trace options; null if it is absent. @throws {RpcError} the options are not an object */
export function traceOption(config: Json, name: string): Json {
  return membersOf(config, 'trace options').get(name) ?? null;
}

function makeTracer(name: Json, config: Json, context: TracerContext): Tracer {
  const make = typeof name === 'string' ? TRACERS.get(name) : undefined;
  if (make === undefined) {
    const names = [...TRACERS.keys()].join(', ');
    throw invalidParams(`unknown tracer; use ${names}, or omit the name for the struct logger`);
  }
  return make(membersOf(config, 'tracerConfig'), context);
}

/** Creates a tracer for each name in the options, and combines them. @throws {RpcError} invalid options */
function muxTracer(config: Members, context: TracerContext): Tracer {
  if (config.has('muxTracer')) throw invalidParams('muxTracer cannot be nested in muxTracer');
  return new MuxTracer(new Map([...config].map(([name, own]) => [name, makeTracer(name, own, context)])));
}

function prestateOptions(config: Members) {
  const options = {
    diffMode: isSet(config, 'diffMode'),
    disableCode: isSet(config, 'disableCode'),
    disableStorage: isSet(config, 'disableStorage'),
    includeEmpty: isSet(config, 'includeEmpty'),
  };
  if (options.diffMode && options.includeEmpty) throw invalidParams('cannot use diffMode with includeEmpty');
  return options;
}

function isSet(members: Members, name: string): boolean {
  return members.get(name) === true;
}

function membersOf(value: Json, what: string): Members {
  if (value === null) return new Map();
  if (value instanceof Map) return value as Members;
  throw invalidParams(`${what} must be an object`);
}
