import { randomBytes } from 'node:crypto';
import t from 'tap';
import { chooseSecp256k1, loadNative, loadNoble, type Secp256k1 } from '../../../src/crypto/secp256k1.js';
import { fromHex } from '../../../src/primitives/bytes.js';

const native = loadNative();
const noble = loadNoble();
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const ZERO = '00'.repeat(32);
const SMALL = `${'00'.repeat(31)}05`;

/** Returns the result of the function, or a fixed text if it throws. */
const orRefused = (answer: () => unknown): unknown => {
  try {
    return answer();
  } catch {
    return 'refused';
  }
};

const alike = (test: Pick<typeof t, 'equal'>, name: string, operation: (of: Secp256k1) => unknown): void => {
  const answer = (of: Secp256k1) => JSON.stringify(orRefused(() => plain(operation(of))));
  test.equal(answer(noble), answer(native), name);
};

const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

t.test('derives the same keys and signatures with both libraries', (t) => {
  for (let i = 0; i < 50; i++) {
    const [key, hash] = [randomBytes(32), randomBytes(32)];
    const label = `key ${key.toString('hex')}, hash ${hash.toString('hex')}`;
    alike(t, `public key: ${label}`, (of) => of.publicKeyOf(key));
    alike(t, `signature: ${label}`, (of) => {
      const { signature, recid } = of.sign(hash, key);
      return `${plain(signature)} ${recid}`;
    });
    const { signature, recid } = native.sign(hash, key);
    for (let recovery = 0; recovery < 4; recovery++)
      alike(t, `recovered with ${recovery}: ${label}`, (of) => of.recover(signature, recovery, hash));
    t.same(Buffer.from(noble.recover(signature, recid, hash)), Buffer.from(native.publicKeyOf(key)));
  }
  t.end();
});

t.test('rejects the same inputs with both libraries', (t) => {
  const hash = fromHex('11'.repeat(32));
  for (const key of [
    ZERO,
    ORDER,
    'ff'.repeat(32),
    `${'00'.repeat(31)}01`,
    `${ORDER.slice(0, 62)}40`,
    '',
    '01',
    '00'.repeat(33),
  ]) {
    alike(t, `private key '${key}'`, (of) => of.isPrivateKey(fromHex(key)));
    alike(t, `public key of '${key}'`, (of) => of.publicKeyOf(fromHex(key)));
    alike(t, `signature by '${key}'`, (of) => plain(of.sign(hash, fromHex(key)).signature));
  }
  for (const r of [ZERO, SMALL, ORDER, 'ff'.repeat(32), '22'.repeat(32)])
    for (const s of [ZERO, SMALL, ORDER, 'ff'.repeat(32), `${ORDER.slice(0, 62)}40`])
      for (const recovery of [0, 1, 2, 3])
        for (const message of [hash, fromHex(ZERO), fromHex('ff'.repeat(32))])
          alike(t, `recovered with ${recovery} of ${r} ${s}`, (of) => of.recover(fromHex(r + s), recovery, message));
  t.end();
});

t.test('falls back to noble and logs the reason if the addon does not load', (t) => {
  t.equal(chooseSecp256k1().library, 'native');
  const fallback = chooseSecp256k1(() => {
    throw new Error('No native build was found');
  });
  t.match(fallback, { library: 'noble', reason: 'No native build was found' });
  t.end();
});
