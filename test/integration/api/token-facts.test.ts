import t from 'tap';
import { contractRows, makeChain, numberWord, textOf, topicOf, wordOf } from '../../support/v1/made-chain.js';

const selector = (signature: string): string => topicOf(signature).slice(0, 8);
const word = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0');
/** Returns the code of a contract. Each of its functions returns one word. Any other call reverts with two words. */
const program = (answers: Readonly<Record<string, string>>): string => {
  const dispatch = Object.entries(answers);
  // Dispatcher: PUSH1 0; CALLDATALOAD; PUSH1 224; SHR. Then for each function: DUP1; PUSH4; EQ; PUSH1 offset; JUMPI.
  const head = 6 + dispatch.length * 10 + 5;
  const tests = dispatch.map(([signature], at) => `8063${selector(signature)}1460${byte(head + at * 42)}57`);
  // JUMPDEST; PUSH32; PUSH1 0; MSTORE; PUSH1 32; PUSH1 0; RETURN.
  const ends = dispatch.map(([, answer]) => `5b7f${answer}60005260206000f3`);
  return `60003560e01c${tests.join('')}60406000fd${ends.join('')}`;
};
const byte = (value: number): string => value.toString(16).padStart(2, '0');

const contracts = {
  whole: { 'symbol()': word('TKN'), 'name()': word('Token'), 'decimals()': numberWord(6) },
  nameless: { 'decimals()': numberWord(6) },
  large: { 'symbol()': word('BIG'), 'decimals()': numberWord(256) },
  silent: {},
};
const facts = {
  whole: { symbol: 'TKN', name: 'Token', decimals: 6 },
  nameless: { symbol: null, name: null, decimals: 6 },
  large: { symbol: 'BIG', name: null, decimals: null },
  silent: { symbol: null, name: null, decimals: null },
};

t.test('returns the same token in /v1 and GraphQL, and null if its call fails', async (t) => {
  const chain = await makeChain(t);
  const topics = [topicOf('Transfer(address,address,uint256)'), wordOf('bob'), wordOf('ann')];
  const rows = Object.entries(contracts).flatMap(([name, answers]) => contractRows(name, [], program(answers)));
  chain.append([], { changes: rows });
  for (const contract of Object.keys(contracts))
    chain.append([{ from: 'bob', to: contract, logs: [{ contract, topics, data: numberWord(5) }] }]);
  await chain.settled();
  for (const [name, expected] of Object.entries(facts)) {
    const path = `/v1/accounts/${textOf('ann')}/transactions/trc20?contract_address=${textOf(name)}`;
    const [row] = (await chain.get(path)).data;
    t.same(row?.['token_info'], { ...expected, address: textOf(name) }, `${name}, /v1`);
    const { token } = await chain.query(`{ token(id: "${textOf(name)}") { id symbol name decimals } }`);
    t.same(token, name === 'silent' ? null : { ...expected, id: textOf(name) }, `${name}, GraphQL`);
  }
});

t.test('repeats a failed token call after the next block', async (t) => {
  const chain = await makeChain(t, []);
  const request = () => chain.query(`{ token(id: "${textOf('late')}") { symbol } }`);
  t.same(await request(), { token: null });
  chain.append([], { changes: contractRows('late', [], program({ 'symbol()': word('LATE') })) });
  t.same(await request(), { token: { symbol: 'LATE' } });
});
