import { decimal, link, short, shortLink, table } from './format.js';
import { ask } from './node.js';
import { TOKENS_MAX, tokensOf } from './queries.js';

/** Tokens by id, as `{ facts, atMs }`. If calls of the contract fail, `facts` is null or has null members. */
const known = new Map();
const KNOWN_MAX = 1000;
/** Time in ms after which an incomplete token is read again. A loaded node aborts calls that may succeed later. */
const RETRY_MS = 10_000;

const UNITS_OF_TRX = { symbol: 'TRX', decimals: 6 };

/** Loads the tokens of transfers that are unknown, or incomplete for some time. @returns true if any was requested */
export async function learnTokens(transfers) {
  const ids = [...new Set(transfers.map(({ token }) => token))].filter((id) => id !== '' && isDue(id));
  if (known.size + ids.length > KNOWN_MAX) known.clear();
  for (let at = 0; at < ids.length; at += TOKENS_MAX) {
    const some = ids.slice(at, at + TOKENS_MAX);
    const found = await ask(tokensOf(some));
    some.forEach((id, index) => {
      known.set(id, { facts: found[`t${index}`], atMs: Date.now() });
    });
  }
  return ids.length > 0;
}

function isDue(id) {
  const { facts, atMs } = known.get(id) ?? { facts: null, atMs: 0 };
  return !(facts?.symbol && Number.isInteger(facts.decimals)) && Date.now() - atMs >= RETRY_MS;
}

/** Returns an amount with its symbol; for a non-fungible token, its number. */
export function amountOf({ kind, token, amount, tokenId }) {
  const facts = kind === 'TRX' ? UNITS_OF_TRX : known.get(token)?.facts;
  const name = facts?.symbol ?? (kind === 'TRC10' ? `token ${token}` : short(token));
  if (kind === 'TRC721') return `${name} #${BigInt(amount)}`;
  if (kind === 'TRC1155') return `${BigInt(amount).toLocaleString()} of ${name} #${tokenId}`;
  return Number.isInteger(facts?.decimals)
    ? `${decimal(amount, facts.decimals)} ${name}`
    : `${BigInt(amount).toLocaleString()} units of ${name}`;
}

/** Returns a table of transfers. @param own address of the account that the page shows; undefined for a transaction */
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
