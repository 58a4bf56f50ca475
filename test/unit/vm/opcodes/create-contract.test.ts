import t from 'tap';
import type { Address } from '../../../../src/primitives/address.js';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { contractAt } from '../../../support/vm/vm-world.js';

/** Returns init code that returns `code` (up to 32 bytes). */
function initOf(code: string): string {
  const size = code.length / 2;
  return `${push(BigInt(`0x${code.padEnd(64, '0')}`))}${push(0)}52${push(size)}${push(0)}f3`;
}

/** Returns code that writes init code to memory and creates a contract with it. */
function create(init: string, { value = 0n, salt }: { value?: bigint; salt?: bigint } = {}): string {
  const padded = init.padEnd(Math.ceil(init.length / 64) * 64, '0');
  const stores = (padded.match(/.{64}/g) ?? []).map((word, at) => `7f${word}${push(32 * at)}52`).join('');
  const size = push(init.length / 2);
  return salt === undefined
    ? `${stores}${size}${push(0)}${push(value)}f0`
    : `${stores}${push(salt)}${size}${push(0)}${push(value)}f5`;
}

const made = (code: string, options: Parameters<typeof runCode>[2] = {}) => {
  const result = runCode(t, returning(code), { energy: 3_000_000, ...options });
  const address = `41${result.output.slice(24)}` as Address;
  return { ...result, address, account: result.state.account(address), code: result.state.code.get(address) };
};

t.test('creates an account, a contract and its code', async (t) => {
  const { account, code, state, address, internal } = made(create(initOf('6001'), { value: 7n }));
  t.same([account?.balance, code], [7n, Uint8Array.of(0x60, 1)]);
  t.equal(Buffer.from(account?.accountName ?? []).toString(), 'CreatedByContract');
  t.equal(state.contracts.get(address)?.consumeUserResourcePercent, 100n);
  t.same(internal, ['create']);
});

t.test('derives the same CREATE2 address from the same code and salt', async (t) => {
  const [first, again, other] = [1n, 1n, 2n].map((salt) => made(create(initOf('6001'), { salt })).address);
  t.equal(first, again);
  t.not(first, other);
  const twice = `${create(initOf('6001'), { salt: 1n })}50${create(initOf('6001'), { salt: 1n })}`;
  t.same(made(twice).words, [0n], 'the address exists already');
});

t.test('creates no contract from invalid code', async (t) => {
  t.same(made(create(initOf('ef01'))).words, [0n], 'since London');
  t.same(made(create('fe')).words, [0n], 'the creation failed');
  t.same(made(create(`${push(0)}${push(0)}fd`)).words, [0n], 'the creation reverted');
});

t.test('charges code by the byte', async (t) => {
  const cost = made(create(initOf('6001'))).energy - made(create(initOf('60'))).energy;
  t.equal(cost, 200n);
});

t.test('creates nothing with a value above the balance', async (t) => {
  const { words, state } = made(create(initOf('6001'), { value: 10n ** 12n }));
  t.same([words, state.account(contractAt(0))?.balance], [[0n], 5_000_000_000n]);
});
