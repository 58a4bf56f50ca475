import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { accountBalance } from '../../../../src/api/operations/accounts.js';
import {
  AccountBalanceRequest,
  AccountIdentifier,
  BlockBalanceTraceBlockIdentifier,
} from '../../../../src/codec/generated/messages.js';

const HASH = new Uint8Array(32).fill(7);

/**
 * Returns a view at height 5 without stored balances.
 * @param tracesBalances true if the node is configured to store balances
 */
function viewWith(tracesBalances: boolean): ChainView {
  const state = { rules: { tracesBalances }, accountTraces: { range: () => [] } };
  return { state, headNumber: 5, blockIdAt: () => HASH } as unknown as ChainView;
}

function requestFor(addressBytes: number): AccountBalanceRequest {
  return Object.assign(new AccountBalanceRequest(), {
    accountIdentifier: Object.assign(new AccountIdentifier(), { address: new Uint8Array(addressBytes).fill(0x41) }),
    blockIdentifier: Object.assign(new BlockBalanceTraceBlockIdentifier(), { number: 5n, hash: HASH }),
  });
}

function refusalOf(view: ChainView, request: AccountBalanceRequest): unknown {
  try {
    return accountBalance(view, request);
  } catch (error) {
    return error;
  }
}

t.test('rejects an address that is not 21 bytes long if past balances are stored', async (t) => {
  for (const bytes of [1, 20, 22]) {
    t.match(refusalOf(viewWith(true), requestFor(bytes)), { javaClass: 'java.lang.IllegalArgumentException' });
    t.equal(accountBalance(viewWith(false), requestFor(bytes)).balance, 0n);
  }
  const { balance, blockIdentifier } = accountBalance(viewWith(true), requestFor(21));
  t.equal(balance, 0n);
  t.equal(blockIdentifier?.number, 5n);
});
