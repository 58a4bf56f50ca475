import { readFileSync } from 'node:fs';
import t from 'tap';
import { post, prepareClients, runClient, startPrivateNetwork, WITNESS } from './private-network.js';

const register = JSON.parse(readFileSync(new URL('register.json', import.meta.url), 'utf8')) as object;

interface Seen {
  readonly transfer: { readonly id: string; readonly block: number };
  readonly contract: { readonly address: string; readonly estimate: number };
  readonly delegated: object;
  readonly [name: string]: unknown;
}

t.test('tronpy sends transfers, calls contracts, stakes and votes', async (t) => {
  prepareClients();
  const [owner, receiver] = await startPrivateNetwork(t);
  const seen = await runClient<Seen>('python/bin/python', ['test/system/clients/python/client.py'], {
    accounts: [owner, receiver],
    witness: WITNESS,
    register,
  });
  t.match(seen, {
    address: owner!.address,
    sameBlock: true,
    witnesses: [WITNESS],
    version: '4.8.2.3',
    received: '1.5',
    memo: 'hello',
    permission: 1,
    contract: {
      name: 'Register',
      functions: ['set', 'value'],
      before: 5,
      after: 42,
      event: { by: owner!.address, value: 42 },
      result: 'SUCCESS',
    },
    delegated: { delegatedResource: [{ frozen_balance_for_energy: 1_000_000_000 }] },
    votes: [{ vote_address: WITNESS, vote_count: 1500 }],
    unfrozen: 500_000_000,
    errors: {
      account: ['AddressNotFound', 'account not found on-chain'],
      transaction: ['TransactionNotFound'],
      balance: [
        'ValidationError',
        'Contract validate error : Validate TransferContract error, balance is not sufficient.',
      ],
      function: ['TvmError', 'REVERT opcode executed'],
    },
  });
  const info = await post('/wallet/gettransactioninfobyid', { value: seen.transfer.id });
  t.match(info, { id: seen.transfer.id, blockNumber: seen.transfer.block });
  t.match(await post('/wallet/getcontract', { value: seen.contract.address, visible: true }), { name: 'Register' });
});
