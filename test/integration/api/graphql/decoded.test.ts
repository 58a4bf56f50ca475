import t, { type Test } from 'tap';
import { type Abi, decodeEventLog, decodeFunctionData, parseAbi } from 'viem';
import { type ServedChain, serveRecording } from '../../../support/graphql/served-chain.js';

interface Decoded {
  readonly name: string;
  readonly declaration: string;
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly value: string }[];
}

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly blockNumber: string;
}

interface Read {
  readonly usage: { readonly energy: string; readonly bandwidth: string };
  readonly transactions: readonly {
    readonly parameter: string;
    readonly to: string | null;
    readonly call: Decoded | null;
    readonly transfers: readonly Transfer[];
    readonly receipt: {
      readonly energyUsageTotal: string;
      readonly netUsage: string;
      readonly logs: readonly {
        readonly address: string;
        readonly topics: readonly string[];
        readonly data: string;
        readonly event: Decoded | null;
      }[];
    };
  }[];
}

const TRANSFER = 'kind token from to amount blockNumber';
const DECODED = 'name declaration parameters { name type value }';
const PAGE = 12;
const BLOCK = `usage { energy bandwidth } transactions(first: ${PAGE}, skip: $skip) { parameter to call { ${DECODED} } transfers { ${TRANSFER} }
  receipt { energyUsageTotal netUsage logs { address topics data event { ${DECODED} } } } }`;
const LAST = 100;

async function readBlocks(t: Test): Promise<ServedChain & { readonly blocks: readonly Read[] }> {
  const served = await serveRecording(t, 'tvm-forks-14-shanghai', { until: LAST, projections: ['token-transfers'] });
  const blocks: Read[] = [];
  for (let number = 1; number <= LAST; number++) {
    let block: Read | undefined;
    for (let skip = 0, page: Read['transactions']; ; skip += PAGE) {
      const query = `query ($skip: Int) { block(number: ${number}) { ${BLOCK} } }`;
      const { data, errors } = await served.query(query, { skip });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      const found = data['block'] as Read;
      page = found.transactions;
      block = { ...found, transactions: [...(block?.transactions ?? []), ...page] };
      if (page.length < PAGE) break;
    }
    blocks.push(block);
  }
  return { ...served, blocks };
}

t.test('decodes calls, events and transfers of recorded blocks, and computes their totals', async (t) => {
  const { query, chain, blocks } = await readBlocks(t);
  const transactions = blocks.flatMap((block) => block.transactions);

  await t.test('sums the resources of a block from its transactions', async (t) => {
    const sum = (values: readonly string[]): string => String(values.reduce((all, one) => all + BigInt(one), 0n));
    for (const { usage, transactions: inside } of blocks) {
      const receipts = inside.map(({ receipt }) => receipt);
      const expected = {
        energy: sum(receipts.map(({ energyUsageTotal }) => energyUsageTotal)),
        bandwidth: sum(receipts.map(({ netUsage }) => netUsage)),
      };
      if (JSON.stringify(usage) !== JSON.stringify(expected)) t.same(usage, expected);
    }
    t.ok(blocks.some(({ usage }) => usage.energy !== '0') && blocks.some(({ usage }) => usage.bandwidth !== '0'));
  });

  await t.test('reports the same transfers as the account history', async (t) => {
    const all = transactions.flatMap(({ transfers }) => transfers);
    const sizes = new Map<string, number>();
    for (const { from } of all) sizes.set(from, (sizes.get(from) ?? 0) + 1);
    const accounts = [...sizes].filter(([, size]) => size > 2 && size < 40).slice(0, 5);
    t.equal(accounts.length, 5);
    for (const [address] of accounts) {
      const { data } = await query(
        `{ account(address: "${address}") { transfers(first: 80) { nodes { ${TRANSFER} } } } }`,
      );
      const { nodes } = (data['account'] as { transfers: { nodes: Transfer[] } }).transfers;
      const kept = nodes.filter(({ blockNumber }) => blockNumber !== '0');
      const expected = all.filter(({ from, to }) => from === address || to === address);
      t.same(kept.map(textOf).sort(), expected.map(textOf).sort(), address);
    }
  });

  await t.test('decodes events and calls like viem', async (t) => {
    const abis = new Map<string, Abi>();
    const abiOf = async (address: string): Promise<Abi> => {
      const known = abis.get(address);
      if (known !== undefined) return known;
      const { data } = await query(`{ contract(address: "${address}") { abi } }`);
      const abi = viemAbi((data['contract'] as { abi: string | null } | null)?.abi ?? null);
      abis.set(address, abi);
      return abi;
    };
    let [events, calls] = [0, 0];
    for (const { to, parameter, call, receipt } of transactions) {
      for (const { address, topics, data, event } of receipt.logs) {
        if (event === null) continue;
        const other = decodeEventLog({
          abi: [...(await abiOf(address)), ...STANDARD],
          data: `0x${data}`,
          topics: topics.map((topic) => `0x${topic}`) as [`0x${string}`],
          strict: false,
        });
        if (other.eventName !== event.name) t.same(event.name, other.eventName);
        events++;
      }
      if (call === null || to === null) continue;
      const { data } = JSON.parse(parameter) as { data: string };
      const other = decodeFunctionData({ abi: [...(await abiOf(to)), ...STANDARD], data: `0x${data}` });
      if (other.functionName !== call.name) t.same(call.name, other.functionName);
      const numbers = (other.args ?? []).filter((value) => typeof value === 'bigint').map(String);
      const ours = call.parameters.filter(({ type }) => /^u?int\d*$/.test(type)).map(({ value }) => value);
      if (numbers.length === ours.length) t.same(ours, numbers, call.declaration);
      calls++;
    }
    t.ok(events > 20 && calls > 20, `${events} events, ${calls} calls`);
  });

  await t.test('returns network totals at a past height, and token facts', async (t) => {
    const { properties } = chain.state;
    const { data } = await query(
      '{ network { height energyStake bandwidthStake energyLimit } then: network(at: 1) { energyStake } }',
    );
    t.same(data['network'], {
      height: String(LAST),
      energyStake: String(properties.get('TOTAL_ENERGY_WEIGHT')),
      bandwidthStake: String(properties.get('TOTAL_NET_WEIGHT')),
      energyLimit: String(properties.get('TOTAL_ENERGY_CURRENT_LIMIT')),
    });
    t.not((data['then'] as { energyStake: string }).energyStake, String(properties.get('TOTAL_ENERGY_WEIGHT')));
    const token = async (id: string) => query(`{ token(id: "${id}") { id name symbol decimals } }`);
    t.same((await token('1000002')).data['token'], { id: '1000002', name: 'tok1', symbol: 't1', decimals: 6 });
    t.equal((await token('1999999')).data['token'], null);
    t.equal(
      (await token('TDswJaq543vgYRYDSmuKoC2SB51fANQrRN')).data['token'],
      null,
      'an address without a contract is no token',
    );
    t.match((await token('nonsense')).errors, [{ extensions: { code: 'BAD_VALUE' } }]);
  });
});

const textOf = ({ from, to, amount, blockNumber }: Transfer): string => [blockNumber, from, to, amount].join(' ');

/** ABIs of the token standards. They are used for contracts without an ABI. */
const STANDARD = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
]);

/** Converts an ABI from the format of the chain to the format of Ethereum tools. */
function viemAbi(text: string | null): Abi {
  const { entrys = [] } = JSON.parse(text ?? '{}') as { entrys?: readonly Record<string, unknown>[] };
  const ethereum = (type: string): string => type.replace(/^trcToken/, 'uint256');
  const inputsOf = (inputs: unknown) =>
    ((inputs ?? []) as { name?: string; type: string; indexed?: boolean }[]).map(
      ({ name = '', type, indexed = false }) => ({
        name,
        type: ethereum(type),
        indexed,
      }),
    );
  return entrys
    .filter(({ type }) => type === 'Function' || type === 'Event')
    .map(({ type, name, inputs }) => ({
      type: String(type).toLowerCase(),
      name,
      inputs: inputsOf(inputs),
      outputs: [],
      stateMutability: 'nonpayable',
    })) as unknown as Abi; // Cast: the executed query shows that the stored data fits this type.
}
