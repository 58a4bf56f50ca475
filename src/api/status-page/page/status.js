import { FIND_ACCOUNT, FIND_BLOCK, FIND_TRANSACTION, LIVE, LIVE_STATUS, RECENT, STATUS } from './queries.js';

const ROWS_MAX = 20;
const RETRY_MS = 2000;

/** Newest first. */
let blocks = [];
/** Where the live stream goes on after a lost connection. */
let cursor;
let isPainting = false;

const $ = (id) => document.getElementById(id);

async function ask(query, variables) {
  const reply = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await reply.json();
  if (errors?.length) throw new Error(errors[0].message);
  return data;
}

/** Element with attributes and children; text stays text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const link = (text, query) => make('a', { href: `?q=${encodeURIComponent(query)}`, title: query }, text);
const short = (text) => (text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text);
const shortLink = (text) => (text ? link(short(text), text) : '–');
const time = (ms) => new Date(Number(ms)).toLocaleString();
const count = (text) => BigInt(text).toLocaleString();

function trx(sun) {
  const value = BigInt(sun);
  const size = value < 0n ? -value : value;
  const rest = String(size % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${(size / 1_000_000n).toLocaleString()}${rest ? `.${rest}` : ''} TRX`;
}

function row(...cells) {
  return make('tr', {}, ...cells.map((cell, at) => make('td', at === 3 ? { class: 'number' } : {}, cell)));
}

function transactionRow({ id, type, owner, blockNumber }) {
  return row(
    shortLink(id),
    type.replace(/Contract$/, ''),
    shortLink(owner),
    blockNumber ? link(blockNumber, blockNumber) : '–',
  );
}

function nothing(text) {
  return make('tr', {}, make('td', { colspan: '4', class: 'quiet' }, text));
}

function paint() {
  if (isPainting) return;
  isPainting = true;
  requestAnimationFrame(() => {
    isPainting = false;
    const blockRows = blocks.map(({ number, timestamp, witnessAddress, transactionCount }) =>
      row(link(number, number), time(timestamp), shortLink(witnessAddress), String(transactionCount)),
    );
    $('blocks').replaceChildren(...(blockRows.length ? blockRows : [nothing('No blocks yet.')]));
    const rows = blocks
      .flatMap(({ transactions }) => [...transactions].reverse())
      .slice(0, ROWS_MAX)
      .map(transactionRow);
    $('transactions').replaceChildren(...(rows.length ? rows : [nothing('No transactions in the last blocks.')]));
    if (blocks[0]) $('head').textContent = count(blocks[0].number);
  });
}

function problem(text) {
  $('problem').textContent = text ?? '';
  $('problem').hidden = !text;
}

function showStatus(status) {
  $('release').textContent = status.release;
  $('head').textContent = count(status.headNumber);
  $('solidified').textContent = count(status.solidifiedNumber);
  $('rate').textContent = status.transactionsPerSecond.toFixed(1);
  $('pending').textContent = String(status.pending);
  $('peers').textContent = String(status.peers);
  $('seq').textContent = count(status.logSeq);
  const rows = [
    ...(status.replica ? [replicaRow(status.replica, status.headNumber)] : []),
    ...status.projections.map((one) => followerRow(one, 'projection')),
    ...status.sinks.map((one) => followerRow(one, `sink, ${one.state}`)),
  ];
  $('followers').replaceChildren(...(rows.length ? rows : [nothing('No projections, no sinks.')]));
  problem();
}

/** A projection or a sink; what is wrong with it stands beside its state. */
function followerRow({ name, number, behind, problem: reason }, state) {
  const at = BigInt(number) < 0n ? '–' : count(number);
  return follower(name, reason ? `${state}: ${reason}` : state, at, count(behind), reason);
}

/** A read replica follows the log of another node, and is behind by records of it: a block is more than one. */
function replicaRow({ lagRecords, lagSeconds, isConnected }, head) {
  const behind = lagRecords === '0' ? '0' : `${count(lagRecords)} records, ${lagSeconds.toFixed(1)} s`;
  const state = isConnected ? 'connected' : 'the log that it follows cannot be read';
  return follower('this node', `read replica: ${state}`, count(head), behind, !isConnected);
}

function follower(name, state, height, behind, isBad) {
  return make(
    'tr',
    { 'data-follower': name },
    make('td', {}, name),
    make('td', isBad ? { class: 'bad' } : {}, state),
    make('td', { class: 'number' }, height),
    make('td', { class: 'number' }, behind),
  );
}

function take({ cursor: next, kind, block }) {
  cursor = next;
  blocks = blocks.filter(({ id }) => id !== block.id);
  if (kind === 'APPLIED') blocks = [block, ...blocks].slice(0, ROWS_MAX);
  paint();
}

function follow() {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: 'connection_init' });
  socket.onmessage = ({ data }) => {
    const { type, payload } = JSON.parse(data);
    if (type === 'connection_ack') {
      $('live').textContent = 'live';
      send({ id: 'blocks', type: 'subscribe', payload: { query: LIVE, variables: { after: cursor } } });
      send({ id: 'status', type: 'subscribe', payload: { query: LIVE_STATUS } });
    } else if (type === 'next' && payload.data?.status) showStatus(payload.data.status);
    else if (type === 'next' && payload.data) take(payload.data.blocks);
    else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'error') {
      // A node with new data does not know the cursor: begin again with what it has.
      if (payload[0]?.extensions?.code === 'BAD_CURSOR') cursor = undefined;
      socket.close();
    }
  };
  socket.onclose = () => {
    $('live').textContent = 'connection lost, trying again…';
    problem('The node does not answer. Trying again.');
    setTimeout(begin, RETRY_MS);
  };
}

async function begin() {
  if (cursor === undefined) {
    try {
      // The cursor first: what comes between the two answers is then in both, and shown once.
      const { status } = await ask(STATUS);
      const recent = await ask(RECENT);
      blocks = recent.blocks.nodes;
      showStatus(status);
      cursor = status.cursor;
      paint();
    } catch (error) {
      problem(`The node does not answer (${error.message}). Trying again.`);
      setTimeout(begin, RETRY_MS);
      return;
    }
  }
  follow();
}

function details(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return make('dl', {}, ...shown.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

function transactionTable(transactions) {
  if (transactions.length === 0) return make('p', { class: 'quiet' }, 'No transactions.');
  return make('table', {}, make('tbody', {}, ...transactions.map(transactionRow)));
}

const json = (text) => make('pre', {}, JSON.stringify(JSON.parse(text), null, 2));

function showBlock(block) {
  return [
    `Block ${block.number}`,
    details([
      ['Id', block.id],
      ['Parent', link(block.parentId, block.parentId)],
      ['Time', time(block.timestamp)],
      ['Witness', shortLink(block.witnessAddress)],
      ['Solidified', block.isSolidified ? 'yes' : 'not yet'],
      ['Size', `${block.size.toLocaleString()} bytes`],
      ['State digest', block.digest],
      ['Transactions', String(block.transactionCount)],
    ]),
    transactionTable(block.transactions),
  ];
}

function showTransaction(found) {
  const { receipt } = found;
  return [
    `Transaction ${short(found.id)}`,
    details([
      ['Id', found.id],
      ['Block', found.blockNumber ? link(found.blockNumber, found.blockNumber) : 'waits for a block'],
      ['Type', found.type],
      ['From', found.owner && link(found.owner, found.owner)],
      ['To', found.to && link(found.to, found.to)],
      ['Amount', found.type === 'TransferContract' && found.amount ? trx(found.amount) : found.amount],
      ['Result', found.result],
      ['Fee', receipt && trx(receipt.fee)],
      ['Energy', receipt && count(receipt.energyUsageTotal)],
      ['Bandwidth', receipt && `${count(receipt.netUsage)} bytes`],
      ['Message', receipt?.message],
      ['Expires', time(found.expiration)],
    ]),
    found.parameter && json(found.parameter),
    receipt?.logs.length ? json(JSON.stringify(receipt.logs)) : undefined,
  ];
}

function showAccount(account) {
  const { resources: used, stakeV1, stakeV2 } = account;
  return [
    `Account ${account.address}`,
    details([
      ['Balance', trx(account.balance)],
      ['Name', account.name],
      ['Type', account.type],
      ['Contract', account.contract?.name],
      ['Reward', trx(account.allowance)],
      [
        'Bandwidth',
        `${count(used.netUsed)} of ${count(used.netLimit)}; free ${count(used.freeNetUsed)} of ${count(used.freeNetLimit)}`,
      ],
      ['Energy', `${count(used.energyUsed)} of ${count(used.energyLimit)}`],
      ['Votes', `${count(used.tronPowerUsed)} of ${count(used.tronPowerLimit)}`],
      ['Stake 1.0', `${trx(stakeV1.bandwidth)} for bandwidth, ${trx(stakeV1.energy)} for energy`],
      ['Stake 2.0', `${trx(stakeV2.bandwidth)} for bandwidth, ${trx(stakeV2.energy)} for energy`],
      ['Lent', `${trx(stakeV2.delegatedBandwidth)} for bandwidth, ${trx(stakeV2.delegatedEnergy)} for energy`],
      ['As of block', account.height],
    ]),
    account.votes.length ? json(JSON.stringify(account.votes)) : undefined,
  ];
}

/** A height, an id of a block or transaction, or an address: each looks different, but for the two ids. */
async function find(text) {
  if (/^\d{1,18}$/.test(text)) {
    const { block } = await ask(FIND_BLOCK, { number: text });
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

async function search(text) {
  $('result').hidden = false;
  $('result-title').textContent = 'Searching…';
  $('result-body').replaceChildren();
  try {
    const found = await find(text);
    const [title, ...parts] = found ?? [`Nothing found for ${text}`];
    $('result-title').textContent = title;
    $('result-body').replaceChildren(...parts.filter(Boolean));
  } catch (error) {
    $('result-title').textContent = 'The search failed';
    $('result-body').replaceChildren(make('p', { class: 'bad' }, error.message));
  }
  $('result-title').focus();
}

function openSearch() {
  const text = new URLSearchParams(location.search).get('q')?.trim();
  $('query').value = text ?? '';
  $('result').hidden = !text;
  if (text) void search(text);
}

function go(text) {
  history.pushState(null, '', text ? `?q=${encodeURIComponent(text)}` : '/');
  openSearch();
}

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
void begin();
