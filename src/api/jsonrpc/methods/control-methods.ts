import { ControlError, type NetworkControl } from '../../network-control.js';
import { type RpcEntry, type RpcMethods, rpcMethod } from '../envelope.js';
import { callMembersOf, readWhole } from '../ethereum/call-arguments.js';
import type { Json } from '../json-text.js';
import { anyParameter, type ReadParameter } from '../parameters.js';
import { quantity } from '../quantities.js';
import { internalError, invalidRequest } from '../rpc-error.js';

/** Maximum number of decimal digits of a number. In addition, each method limits the value. */
const DIGITS_MAX = 14;

/**
 * Returns the methods with which the test suites of Hardhat and Foundry control a private network. Times are in
 * seconds.
 */
export function controlMethods(control: NetworkControl): RpcEntry[] {
  const run: NetworkControl = async (call) => {
    try {
      return await control(call);
    } catch (error) {
      throw error instanceof ControlError ? internalError(error.message) : error;
    }
  };
  const one = [anyParameter] as [ReadParameter<Json>];
  const rows: readonly RpcEntry[] = [
    rpcMethod('evm_snapshot', [], async () => quantity(Number(await run({ kind: 'snapshot' })))),
    rpcMethod<[Json]>('evm_revert', one, (id) => run({ kind: 'revert', id: readNumber(id, 'snapshot') })),
    rpcMethod<[Json]>(
      'evm_mine',
      one,
      async (options) => {
        await run({ kind: 'mine', ...mining(options) });
        return '0x0';
      },
      1,
    ),
    rpcMethod<[Json]>('evm_increaseTime', one, async (seconds) =>
      Math.floor(
        Number(await run({ kind: 'increaseTime', ms: 1000 * readNumber(seconds, 'number of seconds') })) / 1000,
      ),
    ),
    rpcMethod<[Json]>('evm_setNextBlockTimestamp', one, async (time) => {
      await run({ kind: 'setNextTime', timeMs: 1000 * readNumber(time, 'timestamp') });
      return null;
    }),
  ];
  return rows.map(([name, method]) => [name, { ...method, changesNetwork: true }]);
}

/**
 * Returns the methods for a client.
 * @param refusal reason why the client must not change the network; methods that change it then fail with this reason.
 * If undefined, all methods are allowed.
 */
export function allowedMethods(methods: RpcMethods, refusal: string | undefined): RpcMethods {
  if (refusal === undefined) return methods;
  const refuse = (): never => {
    throw invalidRequest(refusal);
  };
  const allowed = ([name, method]: RpcEntry): RpcEntry => [
    name,
    method.changesNetwork === true ? { ...method, run: refuse } : method,
  ];
  return new Map([...methods].map(allowed));
}

/**
 * Reads the argument of `evm_mine`: a timestamp, or `{ timestamp, blocks }`.
 * @throws {RpcError} the argument is malformed, or has an unknown member
 */
function mining(options: Json): { readonly blocks: number; readonly timeMs?: number } {
  if (options === null) return { blocks: 1 };
  if (!(options instanceof Map)) return { blocks: 1, timeMs: 1000 * readNumber(options, 'timestamp') };
  const members = callMembersOf(options, 'the argument of evm_mine', ['blocks', 'timestamp']);
  const [blocks, timestamp] = [members.get('blocks') ?? null, members.get('timestamp') ?? null];
  return {
    blocks: blocks === null ? 1 : readNumber(blocks, 'number of blocks'),
    ...(timestamp !== null && { timeMs: 1000 * readNumber(timestamp, 'timestamp') }),
  };
}

/** Reads a number. @throws {RpcError} the value is not an integer of at least 0, or has too many digits */
function readNumber(value: Json, what: string): number {
  return readWhole(value, DIGITS_MAX, what);
}
