import { messageToJson } from '../../encoding/json/print-message.js';
import { itemAt } from '../../primitives/assert.js';
import { fromHex, toUtf8 } from '../../primitives/bytes.js';
import { account } from '../operations/accounts.js';
import { OneChain } from './one-chain.js';
import { readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { trc20Balances } from './trc20-balances.js';

/**
 * Returns an account in the form of `/wallet/getaccount`, with its TRC20 balances. Returns an empty page if the
 * account does not exist. If one response cannot query all tokens of the account, the next page contains the account
 * again, with the balances of further tokens.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const accountInfo: V1Answer = async (source, query, path) => {
  const address = readPathAddress(source, itemAt(path, 0));
  const view = query.flag('only_confirmed') === true ? 'irreversible' : 'head';
  const found = account(source.api.view(view), address);
  if (found === undefined) return { items: [], fingerprint: undefined };
  const object = messageToJson(found, false, 'fastjson');
  const id = object.get('asset_issued_ID');
  if (typeof id === 'string') object.set('asset_issued_ID', toUtf8(fromHex(id)));
  const request = { view, address, fingerprint: query.text('fingerprint') } as const;
  const { balances, fingerprint } = await trc20Balances(source, request, new OneChain(source));
  object.set('trc20', [...balances]);
  return { items: [object], fingerprint };
};
