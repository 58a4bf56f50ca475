import { decimal, link, short, shortLink, table } from './format.js';
import { ask } from './node.js';
import { TOKENS_MAX, tokensOf } from './queries.js';

/** Known tokens by id; null for a token without symbol, name or decimals. */
const known = new Map();
const KNOWN_MAX = 1000;

const UNITS_OF_TRX = { symbol: 'TRX', decimals: 6 };

/** Loads unknown tokens of transfers. @returns true if a token was loaded */
export async function learnTokens(transfers) {
  const ids = [...new Set(transfers.map(({ token }) => token))].filter((id) => id !== '' && !known.has(id));
  if (known.size + ids.length > KNOWN_MAX) known.clear();
  for (let at = 0; at < ids.length; at += TOKENS_MAX) {
    const some = ids.slice(at, at + TOKENS_MAX);
    const found = await ask(tokensOf(some));
    some.forEach((id, index) => {
      known.set(id, found[`t${index}`]);
    });
  }
  return ids.length > 0;
}

/** Returns an amount with its symbol; for a non-fungible token, its number. */
export function amountOf({ kind, token, amount, tokenId }) {
  const facts = kind === 'TRX' ? UNITS_OF_TRX : known.get(token);
  const name = facts?.symbol ?? (kind === 'TRC10' ? `token ${token}` : short(token));
  if (kind === 'TRC721') return `${name} #${BigInt(amount)}`;
  if (kind === 'TRC1155') return `${BigInt(amount).toLocaleString()} of ${name} #${tokenId}`;
  return facts ? `${decimal(amount, facts.decimals)} ${name}` : `${BigInt(amount).toLocaleString()} units of ${name}`;
}

/** @param own address whose transfers are listed */
export async function transferTable(transfers, own) {
  await learnTokens(transfers);
  const partner = (address) => (address === own ? 'this account' : shortLink(address));
  const rows = transfers.map((transfer) => {
    const { kind, token, from, to, blockNumber, transactionId } = transfer;
    const isOut = own !== undefined && from === own;
    const sign = own === undefined || from === to ? '' : isOut ? '− ' : '+ ';
    const what = kind === 'TRX' || kind === 'TRC10' ? kind : link(kind, token);
    return [`${sign}${amountOf(transfer)}`, what, partner(from), partner(to), link(blockNumber, transactionId)];
  });
  return table(['Amount', '~Token', 'From', 'To', '#Block'], rows, 'No transfers.');
}
