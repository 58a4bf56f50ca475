import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readKeystore } from '../../../../src/crypto/keystore/key-file.js';

// The two test vectors of the Web3 secret storage definition, version 3; password "testpassword".
const KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const vectors = {
  scrypt: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      ...{ dklen: 32, n: 262144, p: 8, r: 1 },
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  pbkdf2: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      ...{ dklen: 32, c: 262144, prf: 'hmac-sha256' },
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
};
const folder = mkdtempSync(join(tmpdir(), 'keystore-'));
t.teardown(() => rmSync(folder, { recursive: true }));

for (const [name, crypto] of Object.entries(vectors))
  t.test(`opens a keystore made with ${name}`, async (t) => {
    t.equal(readKeystore(write({ crypto, version: 3 }), 'testpassword'), KEY);
  });

// Source: WalletFile.setCryptoV1 and ByteArray.fromHexString of java-tron. Ethers writes the member `Crypto`.
t.test('opens a keystore with the member Crypto, and with hex that has a prefix', async (t) => {
  t.equal(readKeystore(write({ Crypto: vectors.pbkdf2, version: 3 }), 'testpassword'), KEY);
  const { ciphertext, cipherparams, kdfparams, mac } = vectors.pbkdf2;
  const prefixed = {
    ...vectors.pbkdf2,
    ciphertext: `0x${ciphertext}`,
    cipherparams: { iv: `0x${cipherparams.iv}` },
    kdfparams: { ...kdfparams, salt: `0x${kdfparams.salt}` },
    mac: `0x${mac}`,
  };
  t.equal(readKeystore(write({ crypto: prefixed, version: 3 }), 'testpassword'), KEY);
});

t.test('rejects another version', async (t) => {
  t.throws(() => readKeystore(write({ crypto: vectors.pbkdf2, version: 1 }), 'testpassword'), {
    message: /wallet version is not supported$/,
  });
});

t.test('reports a wrong password or file in one sentence', async (t) => {
  const file = write({ crypto: vectors.pbkdf2, version: 3 });
  t.throws(() => readKeystore(file, 'wrong'), {
    code: 'USAGE',
    message: /^Witness node start failed! .*Invalid password provided$/,
  });
  t.throws(() => readKeystore(join(folder, 'none'), 'x'), { code: 'USAGE', message: /^Witness node start failed! / });
});

t.test('rejects a key derivation that would take minutes or gigabytes', async (t) => {
  const { kdfparams } = vectors.pbkdf2;
  const hostile: readonly (readonly [kdf: string, parameters: object, name: string])[] = [
    ['pbkdf2', { ...kdfparams, c: 2_000_000_000 }, 'c'],
    ['pbkdf2', { ...kdfparams, dklen: 2_000_000_000 }, 'dklen'],
    ['scrypt', { ...kdfparams, n: 262_144, r: 8, p: 400_000 }, 'n \\* r \\* p'],
    ['scrypt', { ...kdfparams, n: 262_144, r: 1, p: 4_000_000 }, 'n \\* r \\* p'],
    ['scrypt', { ...kdfparams, n: 4096, r: 8, p: 1, dklen: 1_000_000_000 }, 'dklen'],
  ];
  for (const [kdf, parameters, name] of hostile) {
    const crypto = { ...vectors.pbkdf2, kdf, kdfparams: parameters };
    t.throws(() => readKeystore(write({ crypto, version: 3 }), 'x'), {
      message: new RegExp(`the key derivation of the file takes too long: ${name} is \\d+, maximum`),
    });
  }
});

function write(content: unknown): string {
  const file = join(folder, 'key.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}
