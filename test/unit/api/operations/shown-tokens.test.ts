import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { account, accountNet } from '../../../../src/api/operations/accounts.js';
import { AssetIssueContract } from '../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { setTokenBalance } from '../../../../src/state-transition/balances/tokens.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const FILL = 0x0a;
const [SOME, NONE] = ['1000001', '1000002'];

/**
 * Returns a view whose head is block 100. The balance of the token `NONE` became 0 in block 101, the next block.
 * @param flushedNumber newest block that java-tron has written to disk
 */
function viewWith(flushedNumber?: number): ChainView {
  const state = stateWith({
    ALLOW_ASSET_OPTIMIZATION: 1n,
    ALLOW_SAME_TOKEN_NAME: 1n,
    latest_block_header_number: 100n,
  });
  for (const id of [SOME, NONE]) state.assetsV2.put(toHex(utf8(id)), new AssetIssueContract());
  const holder = addAccount(state, FILL);
  setTokenBalance(state, addressOf(FILL), holder, SOME, 5n);
  setTokenBalance(state, addressOf(FILL), holder, NONE, 0n);
  return { state, headNumber: 100, ...(flushedNumber !== undefined && { flushedNumber }) } as unknown as ChainView;
}

// Reference: AccountAssetStore.getAllAssets. The method returns the stored tokens, of which none has a balance of 0,
// and the tokens of the account row in memory.
t.test('shows a balance of 0 only while its block is in the memory of java-tron', async (t) => {
  const tokens = (view: ChainView) => Object.fromEntries(account(view, bytesOf(FILL))?.assetV2 ?? []);
  t.same(tokens(viewWith(90)), { [SOME]: 5n, [NONE]: 0n });
  t.same(tokens(viewWith(101)), { [SOME]: 5n }, 'the block is on the disk of java-tron');
  t.same(tokens(viewWith()), { [SOME]: 5n }, 'a view without unflushed blocks');
  const used = (view: ChainView) => [...(accountNet(view, bytesOf(FILL))?.assetNetUsed.keys() ?? [])].sort();
  t.same([used(viewWith(90)), used(viewWith(101))], [[SOME, NONE], [SOME]], 'the same for the bandwidth of the token');
});
