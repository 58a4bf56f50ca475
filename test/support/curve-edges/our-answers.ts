import { Permission } from '../../../src/codec/generated/messages.js';
import { addressBytes, toAddress } from '../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import type { Release } from '../../../src/state-transition/releases/release.js';
import { release472 } from '../../../src/state-transition/releases/release-4.7.2.js';
import { keyOf } from '../../../src/state-transition/state/permissions.js';
import { newAccount } from '../../../src/state-transition/state/state.js';
import { recoverSigner, recoverSignerKey } from '../../../src/state-transition/transactions/recover-signer.js';
import { weigh } from '../../../src/state-transition/transactions/validate-signature.js';
import { VmError } from '../../../src/state-transition/vm-error.js';
import { readRuleSet } from '../../../src/vm/machine/rule-set.js';
import { validateMultiSign } from '../../../src/vm/precompiles/signatures.js';
import { findPrecompile } from '../../../src/vm/precompiles/table.js';
import { stateWith } from '../vm/state-with.js';
import { ALL_SWITCHES, machineOn, NEW_SWITCHES, OWNER, worldWith } from '../vm/vm-world.js';

const PREFIX = 0x41;
const world = worldWith([], { switches: ALL_SWITCHES.filter((name) => !NEW_SWITCHES.includes(name)) });
world.properties.set('ALLOW_SHIELDED_TRC20_TRANSACTION', 1n);
const rules = readRuleSet(world);
const context = { machine: machineOn(world), caller: OWNER };
const NO_ACCOUNT = new Uint8Array(21).fill(PREFIX, 0, 1);

/**
 * Functions that compute this node's answers, by kind of question. Their arguments are the fields of the question.
 * `test/reliability/reference/CurveEdges.java` computes java-tron's answers and describes the formats.
 */
const answers: Readonly<Record<string, (first: string, second: string, release: Release) => string>> = {
  key: (hash, signature) => toHex(recoverSignerKey(fromHex(hash), fromHex(signature))),
  signer: (hash, signature) => toHex(recoverSigner(fromHex(hash), fromHex(signature), PREFIX)),
  weigh: (hash, signature, release) =>
    `${weigh(stateWith({}, release), permissionOf([NO_ACCOUNT]), [fromHex(signature)], fromHex(hash)).weight}`,
  run(address, input) {
    const precompile = findPrecompile(BigInt(`0x${address}`), rules);
    if (precompile === undefined) throw new RangeError(`no precompile at 0x${address}`);
    const data = fromHex(input);
    const { isSuccess, data: output } = precompile.run(data, context);
    return `${precompile.energy(data, rules)}:${isSuccess ? 1 : 0}:${toHex(output)}`;
  },
  multi(addresses, input) {
    const data = fromHex(input);
    const owner = Uint8Array.of(PREFIX, ...data.subarray(12, 32));
    const ownerPermission = permissionOf(addresses.split(',').map(fromHex));
    if (owner.length === addressBytes(OWNER).length)
      world.putAccount(toAddress(owner), newAccount(toAddress(owner), { ownerPermission }));
    const { isSuccess, data: output } = validateMultiSign.run(data, context);
    return `${isSuccess ? 1 : 0}:${toHex(output)}`;
  },
};

/**
 * Returns this node's answer to a question. If the operation throws, the answer is the exception and its text.
 * @param release release of java-tron whose error texts are used
 */
export function ourAnswer(question: string, release: Release = release472): string {
  const [kind = '', first = '', second = ''] = question.split(':');
  const answer = answers[kind];
  if (answer === undefined) throw new RangeError(`unknown kind of question: ${kind}`);
  try {
    return answer(first, second, release);
  } catch (error) {
    if (error instanceof ChainError) return refused(error.exception, error.text);
    if (error instanceof VmError) return refused(error.javaClass.replace(/.*[.$]/, ''), error.text);
    throw error;
  }
}

function refused(exception: string, text: string | null): string {
  return `!${exception}:${Buffer.from(text ?? '').toString('base64')}`;
}

/** Returns a permission of these addresses. Each address has weight 1, and the threshold requires all of them. */
function permissionOf(addresses: readonly Uint8Array[]): Permission {
  return Object.assign(new Permission(), { threshold: BigInt(addresses.length), keys: addresses.map(keyOf) });
}
