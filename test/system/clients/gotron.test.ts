import { readFileSync } from 'node:fs';
import t from 'tap';
import { post, prepareClients, runClient, startPrivateNetwork, WITNESS } from './private-network.js';

const register = JSON.parse(readFileSync(new URL('register.json', import.meta.url), 'utf8')) as object;

interface Seen {
  readonly transfer: { readonly id: string; readonly block: number };
  readonly contract: { readonly address: string; readonly estimate: number };
  readonly energyLimit: number;
  readonly [name: string]: unknown;
}

t.test('gotron-sdk sends transfers, calls contracts, stakes and votes', async (t) => {
  prepareClients();
  const [owner, receiver] = await startPrivateNetwork(t);
  const seen = await runClient<Seen>('gotron', [], { accounts: [owner, receiver], witness: WITNESS, register });
  t.match(seen, {
    sameBlock: true,
    version: '4.8.2.3',
    witness: WITNESS,
    newerMethod: '',
    badAddress: true,
    received: 1_500_000,
    notEnough: 'Contract validate error : Validate TransferContract error, balance is not sufficient.',
    noAccount: 'account not found',
    forged: ['SIGERROR', /Validate signature error: .* but it is not contained of permission\./],
    contract: {
      entries: 4,
      before: 5,
      after: 42,
      result: 'SUCCESS',
      logBy: owner!.address,
      logValue: 42,
      noContract: 'Contract validate error : No contract or not a valid smart contract',
      revert: ['SUCCESS', 'REVERT opcode executed'],
    },
    delegated: 1_000_000_000,
    votes: 1500,
    unfrozen: 500_000_000,
    delegateTooMuch: ['CONTRACT_VALIDATE_ERROR', /^Contract validate error : delegateBalance must be less than/],
  });
  t.ok(seen.energyLimit > 0);
  t.ok(seen.contract.estimate > 0);
  t.match(await post('/wallet/gettransactioninfobyid', { value: seen.transfer.id }), {
    id: seen.transfer.id,
    blockNumber: seen.transfer.block,
  });
  t.match(await post('/wallet/getcontract', { value: seen.contract.address, visible: true }), { name: 'Register' });
});
