import t from 'tap';
import { AssetIssueContract } from '../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import {
  moveAllTokens,
  moveToken,
  moveTrx,
  validateTokenMove,
  validateTrxMove,
} from '../../../../src/state-transition/balances/transfers.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const [FROM, TO, NONE] = [addressOf(1), addressOf(2), addressOf(9)];
const ID = '1000001';
const HUGE = 2n ** 63n - 1n;

function world() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n });
  state.assetsV2.put(toHex(utf8(ID)), new AssetIssueContract());
  addAccount(state, 1, 10n, { [ID]: 10n });
  addAccount(state, 2, HUGE - 5n, { [ID]: HUGE - 5n });
  addAccount(state, 3);
  return { state, accounts: new VmAccounts(state) };
}

// Reference: the two overloads of VMUtils.validateForSmartContract.
const trx: readonly (readonly [text: string | undefined, from: typeof FROM, to: typeof FROM, amount: bigint])[] = [
  ['Cannot transfer TRX to yourself.', FROM, FROM, 1n],
  ['Validate InternalTransfer error, no OwnerAccount.', NONE, TO, 1n],
  [
    'Validate InternalTransfer error, no ToAccount. And not allowed to create an account in a smartContract.',
    FROM,
    NONE,
    1n,
  ],
  ['Amount must be greater than or equals 0.', FROM, TO, -1n],
  ['Validate InternalTransfer error, balance is not sufficient.', FROM, TO, 11n],
  ['long overflow', FROM, TO, 6n],
  [undefined, FROM, TO, 5n],
];
const tokens: readonly (readonly [
  text: string | undefined,
  from: typeof FROM,
  to: typeof FROM,
  id: string,
  amount: bigint,
])[] = [
  ['Amount must greater than 0.', FROM, TO, ID, 0n],
  ['Cannot transfer asset to yourself.', FROM, FROM, ID, 1n],
  ['No owner account!', NONE, TO, ID, 1n],
  ['No asset !', FROM, TO, '1000002', 1n],
  ['assetBalance must greater than 0.', addressOf(3), TO, ID, 1n],
  ['assetBalance is not sufficient.', FROM, TO, ID, 11n],
  [
    'Validate InternalTransfer error, no ToAccount. And not allowed to create account in smart contract.',
    FROM,
    NONE,
    ID,
    1n,
  ],
  ['long overflow', FROM, TO, ID, 6n],
  [undefined, FROM, TO, ID, 5n],
];

function refusalOf(check: () => void): string | undefined {
  try {
    check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

t.test('rejects a transfer by a contract with the text of the first broken rule', async (t) => {
  const { accounts } = world();
  for (const [text, from, to, amount] of trx)
    t.equal(
      refusalOf(() => validateTrxMove(accounts, from, to, amount)),
      text,
    );
  for (const [text, from, to, id, amount] of tokens)
    t.equal(
      refusalOf(() => validateTokenMove(accounts, from, to, id, amount)),
      text,
    );
});

t.test('transfers SUN and tokens and skips checks for an amount of 0', async (t) => {
  const { accounts, state } = world();
  moveTrx(accounts, FROM, NONE, 0n, 0);
  t.notOk(state.accounts.has(NONE));
  moveTrx(accounts, FROM, TO, 5n, 0);
  moveToken(accounts, FROM, TO, ID, 4n, 0);
  t.same([state.account(FROM)?.balance, state.account(TO)?.balance], [5n, HUGE]);
  t.same([state.account(FROM)?.assetV2.get(ID), state.account(TO)?.assetV2.get(ID)], [6n, HUGE - 1n]);
});

t.test('transfers all tokens of a destroyed contract to its beneficiary', async (t) => {
  const { accounts, state } = world();
  moveAllTokens(accounts, FROM, addressOf(3));
  t.same([state.account(FROM)?.assetV2.get(ID), state.account(addressOf(3))?.assetV2.get(ID)], [0n, 10n]);
  t.throws(() => moveAllTokens(accounts, FROM, NONE));
});
