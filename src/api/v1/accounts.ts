import { fromHex, toUtf8 } from '../../log/domain/bytes.js';
import { messageToJson } from '../json/print-message.js';
import { account } from '../operations/accounts.js';
import { readAddress } from './read-path.js';
import type { V1Answer } from './route.js';

/** An account as `/wallet/getaccount` shows it; an empty page for one that is not there. @throws {V1Error} */
export const accountInfo: V1Answer = (source, query, [text]) => {
  const address = readAddress(source, text!);
  const view = source.api.view(query.flag('only_confirmed') === true ? 'solidified' : 'head');
  const found = account(view, address);
  if (found === undefined) return { items: [], fingerprint: undefined };
  const object = messageToJson(found, false);
  const id = object.get('asset_issued_ID');
  if (typeof id === 'string') object.set('asset_issued_ID', toUtf8(fromHex(id)));
  return { items: [object], fingerprint: undefined };
};
