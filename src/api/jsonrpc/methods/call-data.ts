import { bytesOfHex } from '../../../java-compat/hex.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { ApiRelease } from '../../releases/api-release.js';
import type { CallArguments } from '../parameters.js';
import { invalidParams } from '../rpc-error.js';

type WithData = Pick<CallArguments, 'data' | 'input'>;

/**
 * Returns the call data. `input` has priority over `data`. Releases that do not check arguments use only `data`.
 * Reference: CallArguments.resolveData.
 * @throws {RpcError} the data is malformed
 */
export function callData({ input = null, data }: WithData, { checksRpcArguments }: ApiRelease): string | null {
  if (!checksRpcArguments) return data;
  // `input` must have the `0x` prefix and an even number of digits. `data` may lack both.
  if (input !== null && input !== '' && !(input.startsWith('0x') && input.length % 2 === 0)) refuse('input');
  requireHex('input', input);
  requireHex('data', data);
  return input ?? data;
}

/**
 * Returns the call data. If both `input` and `data` are present, they must be equal. Reference: BuildArguments.
 * @throws {RpcError} `input` and `data` are different, or one of them is malformed
 */
export function agreedCallData(args: WithData, release: ApiRelease): string | null {
  const chosen = callData(args, release);
  const { input = null, data } = args;
  if (input !== null && data !== null && !equalBytes(bytesOfHex(input), bytesOfHex(data))) {
    throw invalidParams(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    );
  }
  return chosen;
}

function requireHex(name: string, digits: string | null): void {
  if (digits === null) return;
  try {
    bytesOfHex(digits);
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    refuse(name);
  }
}

function refuse(name: string): never {
  throw invalidParams(`invalid hex string for "${name}"`);
}
