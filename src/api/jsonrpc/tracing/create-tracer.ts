import { callMembersOf, flagMember, readWhole } from '../ethereum/call-arguments.js';
import type { Json } from '../json-text.js';
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

/**
 * A tracer that a request can name. `options`: names of its options in `tracerConfig`; undefined if `make` checks the
 * names.
 */
interface NamedTracer {
  readonly options: readonly string[] | undefined;
  readonly make: Make;
}

/** Options of the struct logger, in addition to `limit`. */
const STRUCT_FLAGS = ['disableStack', 'disableStorage', 'enableMemory', 'enableReturnData'];
/**
 * Options of `debug_traceCall` only. All other `debug_trace…` methods execute transactions of the chain, so they must
 * not override the state or the block.
 */
export const CALL_OPTIONS: readonly string[] = ['stateOverrides', 'blockOverrides', 'txIndex'];
/**
 * Options that clients of geth send, without effect on this node. The limits of a trace are fixed, the node needs no
 * earlier blocks to build a state, and memory and return data are off by default.
 */
const WITHOUT_EFFECT = ['timeout', 'reexec', 'debug', 'disableMemory', 'disableReturnData'];
const OPTIONS = ['tracer', 'tracerConfig', 'limit', ...STRUCT_FLAGS, ...WITHOUT_EFFECT];
const LIMIT_DIGITS_MAX = 12;

const TRACERS: ReadonlyMap<string, NamedTracer> = new Map<string, NamedTracer>([
  [
    'callTracer',
    {
      options: ['onlyTopCall', 'withLog'],
      make: (config, { limits }) =>
        new CallTracer(
          { onlyTopCall: flagMember(config, 'onlyTopCall'), withLog: flagMember(config, 'withLog') },
          limits,
        ),
    },
  ],
  [
    'prestateTracer',
    {
      options: ['diffMode', 'disableCode', 'disableStorage', 'includeEmpty'],
      make: (config, { limits }) => new PrestateTracer(prestateOptions(config), limits),
    },
  ],
  [
    'flatCallTracer',
    {
      options: ['convertParityErrors', 'includePrecompiles'],
      make: (config, { limits, place }) =>
        new FlatCallTracer(
          {
            convertsErrors: flagMember(config, 'convertParityErrors'),
            includesPrecompiles: flagMember(config, 'includePrecompiles'),
            showsNoResult: false,
          },
          place,
          limits,
        ),
    },
  ],
  ['4byteTracer', { options: [], make: (_, { limits }) => new FourByteTracer(limits) }],
  ['muxTracer', { options: undefined, make: muxTracer }],
  ['noopTracer', { options: [], make: () => new MuxTracer(new Map()) }],
]);

/**
 * Creates the tracer that a request names. Without a name, creates the struct logger, as geth does.
 * @param also names of the options that the method has in addition to the options of all methods
 * @throws {RpcError} the options are invalid
 */
export function createTracer(config: Json, context: TracerContext, also: readonly string[] = []): Tracer {
  const members = membersOf(config, 'trace options', [...OPTIONS, ...also]);
  const name = members.get('tracer') ?? '';
  if (name !== '') return makeTracer(name, members.get('tracerConfig') ?? null, context);
  const limit = members.get('limit') ?? null;
  const options = {
    disableStack: flagMember(members, 'disableStack'),
    disableStorage: flagMember(members, 'disableStorage'),
    enableMemory: flagMember(members, 'enableMemory'),
    enableReturnData: flagMember(members, 'enableReturnData'),
    limit: limit === null ? 0 : readWhole(limit, LIMIT_DIGITS_MAX, 'limit'),
  };
  return new StructTracer(options, context.limits);
}

/** Returns a value of the trace options; null if it is absent. @throws {RpcError} the options are not an object */
export function traceOption(config: Json, name: string): Json {
  return membersOf(config, 'trace options').get(name) ?? null;
}

function makeTracer(name: Json, config: Json, context: TracerContext): Tracer {
  const tracer = typeof name === 'string' ? TRACERS.get(name) : undefined;
  if (tracer === undefined) {
    const names = [...TRACERS.keys()].join(', ');
    throw invalidParams(`unknown tracer; use ${names}, or omit the name for the struct logger`);
  }
  return tracer.make(membersOf(config, `tracerConfig of ${String(name)}`, tracer.options), context);
}

/** Creates a tracer for each name in the options, and combines them. @throws {RpcError} invalid options */
function muxTracer(config: Members, context: TracerContext): Tracer {
  if (config.has('muxTracer')) throw invalidParams('muxTracer cannot be nested in muxTracer');
  return new MuxTracer(new Map([...config].map(([name, own]) => [name, makeTracer(name, own, context)])));
}

function prestateOptions(config: Members) {
  const options = {
    diffMode: flagMember(config, 'diffMode'),
    disableCode: flagMember(config, 'disableCode'),
    disableStorage: flagMember(config, 'disableStorage'),
    includeEmpty: flagMember(config, 'includeEmpty'),
  };
  if (options.diffMode && options.includeEmpty) throw invalidParams('cannot use diffMode with includeEmpty');
  return options;
}

function membersOf(value: Json, what: string, known?: readonly string[]): Members {
  return value === null ? new Map() : callMembersOf(value, what, known);
}
