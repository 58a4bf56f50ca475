import { accountPlots } from './account-plots.js';
import { decodedPart, logPart } from './decoded.js';
import { $, complaint, count, details, json, link, make, part, short, shortLink, table, time, trx } from './format.js';
import { ask } from './node.js';
import { ACCOUNT_TRANSACTIONS, ACCOUNT_TRANSFERS, FIND_ACCOUNT, FIND_BLOCK, FIND_TRANSACTION } from './queries.js';
import { transferTable } from './tokens.js';

const list = (sentences) => sentences.filter(Boolean).join('; ');

function transactionTable(transactions, empty = 'No transactions.') {
  const rows = transactions.map(({ id, type, owner, to, blockNumber, result }) => [
    link(short(id), id),
    result === 'SUCCESS' || result === 'DEFAULT'
      ? type.replace(/Contract$/, '')
      : make('span', { class: 'bad' }, `${type.replace(/Contract$/, '')} ${result}`),
    shortLink(owner),
    shortLink(to),
    blockNumber ? link(blockNumber, blockNumber) : 'waits',
  ]);
  return table(['Transaction', 'Type', '~From', '~To', '#Block'], rows, empty);
}

function showBlock(block) {
  return [
    `Block ${count(block.number)}`,
    details([
      ['Time', time(block.timestamp)],
      ['Witness', link(block.witnessAddress, block.witnessAddress)],
      ['Solidified', block.isSolidified ? 'yes' : 'not yet'],
      ['Used', `${count(block.usage.energy)} energy, ${count(block.usage.bandwidth)} bytes of bandwidth`],
      ['Size', `${block.size.toLocaleString()} bytes`],
      ['Id', make('span', { class: 'mono' }, block.id)],
      ['Parent', make('span', { class: 'mono' }, link(block.parentId, block.parentId))],
      ['State digest', make('span', { class: 'mono' }, block.digest)],
    ]),
    part(`Transactions: ${block.transactionCount}`, transactionTable(block.transactions)),
  ];
}

async function showTransaction(found) {
  const { receipt, call, transfers } = found;
  const logs = receipt?.logs ?? [];
  return [
    `Transaction ${short(found.id)}`,
    details([
      ['Result', resultOf(found)],
      ['Type', found.type.replace(/Contract$/, '')],
      ['Block', found.blockNumber ? link(count(found.blockNumber), found.blockNumber) : 'waits for a block'],
      ['From', found.owner && link(found.owner, found.owner)],
      ['To', found.to && link(found.to, found.to)],
      [
        'Made',
        receipt?.contractAddress &&
          found.to !== receipt.contractAddress &&
          link(receipt.contractAddress, receipt.contractAddress),
      ],
      ['Fee', receipt && trx(receipt.fee)],
      ['Used', receipt && `${count(receipt.energyUsageTotal)} energy, ${count(receipt.netUsage)} bytes of bandwidth`],
      ['Expires', time(found.expiration)],
      ['Id', make('span', { class: 'mono' }, found.id)],
    ]),
    transfers.length > 0 && part('Transfers', await transferTable(transfers)),
    call && part('Call', decodedPart(call)),
    logs.length > 0 && part(`Events: ${logs.length}`, logs.map(logPart)),
    found.parameter && make('details', {}, make('summary', {}, 'Parameters as sent'), json(found.parameter)),
  ];
}

function resultOf({ result, receipt }) {
  const isGood = result === 'SUCCESS' || result === 'DEFAULT';
  if (isGood) return make('span', { class: 'good' }, result === 'DEFAULT' ? 'not executed yet' : 'success');
  return make('span', { class: 'bad' }, receipt?.message ? `${result}: ${receipt.message}` : result);
}

/** Returns an element that shows usage of a limit. */
function share(name, used, limit, unit = '') {
  const text = `${count(used)} of ${count(limit)}${unit}`;
  const bar = make('progress', {
    max: '1000',
    value: String(limit === '0' ? 0 : (BigInt(used) * 1000n) / BigInt(limit)),
    'aria-label': `${name}: ${text}`,
  });
  return make('div', { class: 'share' }, make('dt', {}, name), make('dd', {}, text, bar));
}

function showAccount(account) {
  const { resources: used, stakeV1, stakeV2, address } = account;
  const staked = (v1, v2, what) => v1 + v2 > 0n && `${trx(v1 + v2)} for ${what}`;
  const sums = (name) => [BigInt(stakeV1[name]), BigInt(stakeV2[name])];
  return [
    account.contract ? `Contract ${account.contract.name}` : 'Account',
    make('p', { class: 'mono address' }, address),
    make(
      'dl',
      { class: 'shares' },
      make('div', { class: 'share' }, make('dt', {}, 'Balance'), make('dd', {}, trx(account.balance))),
      share('Energy', used.energyUsed, used.energyLimit),
      share('Bandwidth of stake', used.netUsed, used.netLimit, ' bytes'),
      share('Free bandwidth', used.freeNetUsed, used.freeNetLimit, ' bytes'),
      share('Votes', used.tronPowerUsed, used.tronPowerLimit),
    ),
    details([
      ['Name', account.name],
      ['Type', account.type],
      ['Created by', account.contract && link(account.contract.originAddress, account.contract.originAddress)],
      ['Witness', account.isWitness ? 'yes' : ''],
      ['Reward', account.allowance !== '0' && trx(account.allowance)],
      ['Stake', list([staked(...sums('energy'), 'energy'), staked(...sums('bandwidth'), 'bandwidth')])],
      [
        'Lent',
        list([
          staked(0n, BigInt(stakeV2.delegatedEnergy), 'energy'),
          staked(0n, BigInt(stakeV2.delegatedBandwidth), 'bandwidth'),
        ]),
      ],
      [
        'Borrowed',
        list([
          staked(0n, BigInt(stakeV2.acquiredEnergy), 'energy'),
          staked(0n, BigInt(stakeV2.acquiredBandwidth), 'bandwidth'),
        ]),
      ],
      [
        'Unstaking',
        list(stakeV2.unstaking.map(({ amount, expireTime }) => `${trx(amount)} until ${time(expireTime)}`)),
      ],
      [
        'Votes for',
        list(account.votes.map(({ witnessAddress, count: votes }) => `${short(witnessAddress)}: ${count(votes)}`)),
      ],
      ['As of block', count(account.height)],
    ]),
    accountPlots(address),
    pages('Transfers', 'transfers', ACCOUNT_TRANSFERS, address, (nodes) => transferTable(nodes, address)),
    pages('Transactions', 'transactions', ACCOUNT_TRANSACTIONS, address, async (nodes) => transactionTable(nodes)),
  ];
}

/** Returns a list with a button that loads the next page. */
function pages(title, field, query, address, show) {
  const body = make('div', {}, make('p', { class: 'quiet' }, 'Loading…'));
  async function read(after) {
    try {
      const { account } = await ask(query, { address, after });
      const { nodes, pageInfo } = account[field];
      const found = [await show(nodes)];
      if (pageInfo.hasNextPage) found.push(more(pageInfo.endCursor));
      if (after === undefined) body.replaceChildren(...found);
      else body.append(...found);
    } catch (error) {
      body.replaceChildren(complaint(error));
    }
  }
  function more(cursor) {
    const button = make('button', { type: 'button' }, 'Load older');
    button.addEventListener('click', () => {
      button.remove();
      void read(cursor);
    });
    return button;
  }
  void read();
  return part(title, body);
}

/**
 * Finds a height, a block or transaction id, or an address. Block ids and transaction ids have the same form, so both
 * are tried.
 */
async function find(text) {
  if (/^[\d.,\s]{1,24}$/.test(text)) {
    const { block } = await ask(FIND_BLOCK, { number: text.replace(/\D/g, '').slice(0, 18) });
    return block && showBlock(block);
  }
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) {
    const { transaction } = await ask(FIND_TRANSACTION, { id: text });
    if (transaction) return showTransaction(transaction);
    const { block } = await ask(FIND_BLOCK, { id: text });
    return block && showBlock(block);
  }
  const { account } = await ask(FIND_ACCOUNT, { address: text });
  return account && showAccount(account);
}

/** Text of the newest search. Results of older searches are dropped. */
let wanted;

async function search(text) {
  wanted = text;
  $('result').hidden = false;
  $('result-title').textContent = 'Searching…';
  $('result-body').replaceChildren();
  let title;
  let parts;
  try {
    [title, ...parts] = (await find(text)) ?? ['Nothing found', missing(text)];
  } catch (error) {
    [title, ...parts] =
      error.code === 'BAD_VALUE' ? ['Nothing found', unreadable(text)] : ['The search failed', complaint(error)];
  }
  if (wanted !== text) return;
  $('result-title').textContent = title;
  $('result-body').replaceChildren(...parts.flat().filter(Boolean));
  $('result-title').focus({ preventScroll: true });
  $('result').scrollIntoView({ block: 'start' });
}

const missing = (text) =>
  make(
    'p',
    {},
    `This node has no block, transaction or account ${text}. An account is created when its address first receives TRX or a TRC10 token.`,
  );
const unreadable = (text) => make('p', {}, `“${text}” is not a height, an id or an address of this network.`);

function openSearch() {
  const text = new URLSearchParams(location.search).get('q')?.trim();
  $('query').value = text ?? '';
  $('result').hidden = !text;
  if (text) void search(text);
  else wanted = undefined;
}

function go(text) {
  history.pushState(null, '', text ? `?q=${encodeURIComponent(text)}` : '/');
  openSearch();
}

export function startSearch() {
  $('search').addEventListener('submit', (event) => {
    event.preventDefault();
    go($('query').value.trim());
  });
  document.addEventListener('click', (event) => {
    const target = event.target.closest?.('a[href^="?q="]');
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(new URLSearchParams(target.getAttribute('href')).get('q'));
  });
  addEventListener('popstate', openSearch);
  openSearch();
}
