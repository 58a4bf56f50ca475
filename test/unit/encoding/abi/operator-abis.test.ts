import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ContractAbis } from '../../../../src/api/abi/contract-abis.js';
import { LOCAL_SOURCES } from '../../../../src/api/http/server/request-sources.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { functionsOfAbi } from '../../../../src/encoding/abi/abi-functions.js';
import { eventsOfAbi } from '../../../../src/encoding/abi/decode-event.js';
import { OperatorAbis } from '../../../../src/encoding/abi/operator-abis.js';
import { readAbi } from '../../../../src/encoding/abi/read-abi.js';
import { createAdminServer } from '../../../../src/node/admin/admin-server.js';
import { fromHex, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const CONTRACT = `41${'ab'.repeat(20)}`;
const paid = { type: 'event', name: 'Paid', inputs: [{ name: 'amount', type: 'uint256', indexed: false }] };
const pay = { type: 'function', name: 'pay', inputs: [{ name: 'amount', type: 'uint256' }] };
const topicOf = (signature: string): Uint8Array => keccak256(utf8(signature));
const word = (value: number): Uint8Array => fromHex(value.toString(16).padStart(64, '0'));

t.test('reads an ABI in the formats of compilers, wallets and TRON', async (t) => {
  const forms = {
    list: [paid, pay],
    artifact: { contractName: 'Till', abi: [paid, pay], bytecode: '0x00' },
    'ABI of the chain': {
      entrys: [
        { ...paid, type: 'Event' },
        { ...pay, type: 'Function' },
      ],
    },
    'answer of getcontract': { name: 'Till', abi: { entrys: [paid, pay] } },
  };
  for (const [name, form] of Object.entries(forms)) {
    const abi = readAbi(form);
    t.same([...eventsOfAbi(abi).keys()], [toHex(topicOf('Paid(uint256)'))], name);
    t.same([...functionsOfAbi(abi).keys()], [toHex(topicOf('pay(uint256)').subarray(0, 4))], name);
  }
  const components = [{ type: 'address' }, { type: 'tuple[]', components: [{ type: 'bool' }] }];
  const tuple = { type: 'event', name: 'Sent', inputs: [{ name: 'what', type: 'tuple[2]', components }] };
  t.equal([...eventsOfAbi(readAbi([tuple])).values()][0]?.signature, 'Sent((address,(bool)[])[2])');
  for (const bad of [7, null, {}, 'text', [{ type: 'feast' }], [{ ...paid, inputs: 'none' }], [{ ...paid, name: 4 }]]) {
    t.throws(() => readAbi(bad), { code: 'BAD_ABI' }, JSON.stringify(bad));
  }
  t.throws(() => readAbi(new Array(5001).fill(paid)), { code: 'BAD_ABI' });
});

t.test('names a misspelt member, and ignores unknown members that compilers write', async (t) => {
  const [amount] = paid.inputs;
  for (const [entry, reason] of [
    [
      { ...paid, inputs: [{ ...amount, indexd: true }] },
      'inputs 0: it has the unknown member "indexd"; did you mean indexed?',
    ],
    [
      { ...paid, inputs: [{ ...amount, Indexed: true }] },
      'inputs 0: it has the unknown member "Indexed"; did you mean',
    ],
    [{ type: 'event', name: 'Paid', input: [amount] }, 'it has the unknown member "input"; did you mean inputs?'],
    [{ ...paid, anonymus: true }, 'it has the unknown member "anonymus"; did you mean anonymous?'],
    [
      { ...paid, inputs: [{ name: 'a', type: 'tuple', components: [{ type: 'bool', nam: 'b' }] }] },
      'inputs 0: it has the unknown member "nam"; did you mean name?',
    ],
  ] as const)
    t.throws(() => readAbi([entry]), { code: 'BAD_ABI', message: new RegExp(`: ${reason.replaceAll('?', '\\?')}`) });
  const more = { stateMutability: 'view', constant: true, payable: false, gas: 7, signature: '0x', internalType: 'x' };
  const input = { ...amount, internalType: 'uint256', unit: 'wei' };
  t.equal(
    readAbi([
      { ...paid, ...more, inputs: [input] },
      { ...pay, ...more },
    ]).entrys.length,
    2,
  );
});

t.test('warns about a file whose name is not an address in hex', async (t) => {
  const [folder, warnings] = [temporaryFolder(t), [] as string[]];
  mkdirSync(join(folder, 'abis'));
  const names = [`${CONTRACT}.json`, `${CONTRACT.toUpperCase()}.json`, 'TDswJaq543vgYRYDSmuKoC2SB51fANQrRN.json'];
  for (const name of names) writeFileSync(join(folder, 'abis', name), JSON.stringify([paid]));
  const operatorAbis = new OperatorAbis(folder, (path, { message }) => warnings.push(`${path}: ${message}`));
  t.same(operatorAbis.addresses(), [CONTRACT]);
  t.same(
    warnings.map((line) => line.slice(0, line.indexOf(', expected'))),
    [names[1], names[2]].map((name) => `${join(folder, 'abis', name!)}: file ignored`),
  );
});

t.test('reads a changed file again after at most a second', async (t) => {
  const [folder, warnings] = [temporaryFolder(t), [] as string[]];
  let now = 0;
  const operatorAbis = new OperatorAbis(
    folder,
    (path) => warnings.push(path),
    () => now,
  );
  t.same([operatorAbis.of(CONTRACT), operatorAbis.addresses()], [undefined, []], 'no folder');
  const path = join(folder, 'abis', `${CONTRACT}.json`);
  const write = (text: string, seconds: number): void => {
    mkdirSync(join(folder, 'abis'), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, seconds, seconds);
  };
  write(JSON.stringify([paid]), 1);
  t.equal(operatorAbis.of(CONTRACT), undefined, 'the file was read less than a second ago');
  now = 1000;
  t.equal(operatorAbis.of(CONTRACT)?.events.size, 1);
  t.same(operatorAbis.addresses(), [CONTRACT]);
  write('[', 2);
  now = 2000;
  t.equal(operatorAbis.of(CONTRACT), undefined, 'an invalid file counts as no ABI');
  now = 3000;
  t.equal(operatorAbis.of(CONTRACT), undefined);
  t.same(warnings, [path], 'one warning per change');
  write(JSON.stringify([paid, pay]), 3);
  now = 4000;
  t.equal(operatorAbis.of(CONTRACT)?.functions.size, 1);
});

t.test('prefers the ABI of the operator to that of the chain', async (t) => {
  const operatorAbis = new OperatorAbis(temporaryFolder(t), () => {});
  const chain = readAbi([
    { ...paid, inputs: [{ name: 'old', type: 'uint256', indexed: false }] },
    { type: 'event', name: 'Closed', inputs: [] },
  ]);
  const abis = new ContractAbis(() => ({ state: { abis: { get: () => chain } } }) as never, operatorAbis);
  const nameOf = () =>
    abis.decode(fromHex(CONTRACT), { topics: [topicOf('Paid(uint256)')], data: word(5) })?.parameters;
  t.match(nameOf(), [{ name: 'old', value: '5' }]);
  operatorAbis.set(CONTRACT, [paid, pay]);
  t.match(nameOf(), [{ name: 'amount', value: '5' }]);
  const call = new Uint8Array([...topicOf('pay(uint256)').subarray(0, 4), ...word(7)]);
  t.match(abis.decodeCall(fromHex(CONTRACT), call), { function: { name: 'pay' }, parameters: [{ value: '7' }] });
  t.match(abis.decode(fromHex(CONTRACT), { topics: [topicOf('Closed()')], data: new Uint8Array(0) }), {
    event: { name: 'Closed' },
  });
  t.ok(operatorAbis.remove(CONTRACT));
  t.match(nameOf(), [{ name: 'old' }]);
  t.equal(abis.decodeCall(fromHex(CONTRACT), call), undefined);
});

t.test('adds, lists and removes ABIs over the admin interface', async (t) => {
  const operatorAbis = new OperatorAbis(temporaryFolder(t), () => {});
  const abis = { operatorAbis, addressPrefix: 0x41 };
  const app = createAdminServer({ sinks: {} as never, abis, token: 'secret', sources: LOCAL_SOURCES, log: silent });
  t.teardown(() => app.close());
  const query = async (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const reply = await app.inject({
      method,
      url,
      headers: { authorization: 'Bearer secret' },
      ...(payload && { payload }),
    });
    return [reply.statusCode, reply.json() as unknown];
  };
  t.same(await query('GET', '/abis'), [200, []]);
  t.equal((await query('PUT', `/abis/${CONTRACT}`, { abi: [paid] }))[0], 200);
  const [, listed] = await query('GET', '/abis');
  t.equal((listed as string[]).length, 1);
  t.equal((await query('PUT', `/abis/${(listed as string[])[0]}`, [paid, pay]))[0], 200, 'also by the Base58 address');
  t.equal(operatorAbis.of(CONTRACT)?.functions.size, 1);
  t.equal((await query('PUT', `/abis/${CONTRACT}`, { abi: 5 }))[0], 400, 'invalid ABI');
  t.equal((await query('PUT', '/abis/..%2F..%2Fetc', [paid]))[0], 400, 'invalid address');
  t.equal((await query('DELETE', `/abis/${CONTRACT}`))[0], 200);
  t.equal((await query('DELETE', `/abis/${CONTRACT}`))[0], 404);
});

t.test('leaves no incomplete file after an ABI could not be stored', (t) => {
  const dataDir = temporaryFolder(t);
  const folder = join(dataDir, 'abis');
  const path = join(folder, `${CONTRACT}.json`);
  // A folder in place of the file makes the write fail.
  mkdirSync(path, { recursive: true });
  const abis = new OperatorAbis(dataDir, () => undefined);
  t.throws(() => abis.set(CONTRACT, [paid]), { code: 'EISDIR' });
  t.same(readdirSync(folder), [`${CONTRACT}.json`]);
  rmSync(path, { recursive: true });
  abis.set(CONTRACT, [paid]);
  t.equal(abis.of(CONTRACT)?.events.size, 1);
  t.end();
});
