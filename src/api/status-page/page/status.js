import { $, clock, count, link, make, nothing, short, shortLink } from './format.js';
import { followChain } from './live.js';
import { noteBlock, startNetworkPlots } from './network-plots.js';
import { ask } from './node.js';
import { transactionParts } from './queries.js';
import { startSearch } from './search.js';
import { amountOf, learnTokens } from './tokens.js';

/** Maximum number of listed blocks, and of listed transactions. */
const ROWS_MAX = 20;

/** Recent blocks, newest first. */
let blocks = [];
/** Decoded calls and transfers of the listed transactions, by id. */
let parts = new Map();
let isPainting = false;
let isLearning = false;

function paint() {
  if (isPainting) return;
  isPainting = true;
  requestAnimationFrame(() => {
    isPainting = false;
    paintBlocks();
    paintTransactions();
    if (blocks[0]) $('head').textContent = count(blocks[0].number);
  });
}

function paintBlocks() {
  const rows = blocks
    .slice(0, ROWS_MAX)
    .map(({ number, timestamp, witnessAddress, transactionCount }) =>
      make(
        'tr',
        {},
        make('td', {}, link(number, number)),
        make('td', {}, clock(timestamp)),
        make('td', { class: 'wide' }, shortLink(witnessAddress)),
        make('td', { class: 'number' }, String(transactionCount)),
      ),
    );
  $('blocks').replaceChildren(...(rows.length ? rows : [nothing('No blocks yet.', 4)]));
}

/** Returns the listed transactions. Omits those of the genesis block, which no account sent. */
const transactionsInSight = () =>
  blocks.flatMap(({ number, transactions }) => (number === '0' ? [] : [...transactions].reverse())).slice(0, ROWS_MAX);

function paintTransactions() {
  const rows = transactionsInSight().map(({ id, type, owner, amount, blockNumber, result }) => {
    const own = type === 'TransferContract' ? [{ kind: 'TRX', token: '', amount }] : [];
    const { call, transfers = own } = parts.get(id) ?? {};
    const isGood = result === 'SUCCESS' || result === 'DEFAULT';
    return make(
      'tr',
      { 'data-transaction': id },
      make('td', {}, link(short(id), id)),
      make(
        'td',
        isGood ? {} : { class: 'bad' },
        call ? `${call.name}()` : type.replace(/Contract$/, ''),
        isGood ? '' : ` ${result}`,
      ),
      make(
        'td',
        { class: 'number' },
        transfers.map((one) => make('div', {}, amountOf(one))),
      ),
      make('td', { class: 'wide' }, shortLink(owner)),
      make('td', { class: 'number wide' }, blockNumber ? link(blockNumber, blockNumber) : '–'),
    );
  });
  const shown = rows.length ? rows : [nothing('No transactions in the last blocks.', 5)];
  $('transactions').replaceChildren(...shown);
}

/** Loads missing details of the listed transactions, one query at a time. The list is shown before they arrive. */
async function learnParts() {
  if (isLearning) return;
  isLearning = true;
  try {
    for (;;) {
      const inSight = transactionsInSight().map(({ id }) => id);
      const unknown = inSight.filter((id) => !parts.has(id));
      if (unknown.length > 0) {
        const found = await ask(transactionParts(unknown));
        const learnt = unknown.map((id, at) => [id, found[`t${at}`] ?? undefined]);
        parts = new Map([...[...parts].filter(([id]) => inSight.includes(id)), ...learnt]);
      }
      const hasNewTokens = await learnTokens(inSight.flatMap((id) => parts.get(id)?.transfers ?? []));
      if (unknown.length > 0 || hasNewTokens) paint();
      if (unknown.length === 0) break;
    }
  } catch {
    // Retried with the next block. Another part of the page shows connection problems.
  }
  isLearning = false;
}

function problem(text) {
  $('problem').textContent = text ?? '';
  $('problem').hidden = !text;
}

function showStatus(status) {
  $('release').textContent = status.release;
  $('head').textContent = count(status.headNumber);
  $('head-time').replaceChildren(clock(status.headTime));
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
  $('followers').replaceChildren(...(rows.length ? rows : [nothing('No projections and no sinks.', 4)]));
  $('state-projections').replaceChildren(...status.stateProjections.map(stateRow));
  problem(status.storageProblem && `Blocks cannot be stored: ${status.storageProblem}`);
}

/** Returns the table row of a state projection. If two nodes have different rows, their checksums differ. */
function stateRow({ name, description, number, rows, checksum }) {
  return make(
    'tr',
    { 'data-projection': name, title: description },
    make('td', {}, name),
    make('td', { class: 'number' }, count(rows)),
    make('td', { class: 'number wide' }, count(number)),
    make('td', { class: 'wide' }, checksum),
  );
}

/** Returns the table row of a projection or sink. Shows a problem next to its state. */
function followerRow({ name, number, behind, problem: reason }, state) {
  const at = BigInt(number) < 0n ? '–' : count(number);
  return follower(name, reason ? `${state}: ${reason}` : state, at, count(behind), reason);
}

/**
 * Returns the table row of a read replica. Its lag is counted in records of the Kafka topic; a block consists of
 * several.
 */
function replicaRow({ lagRecords, lagSeconds, isConnected }, head) {
  const behind = lagRecords === '0' ? '0' : `${count(lagRecords)} records, ${lagSeconds.toFixed(1)} s`;
  const state = isConnected ? 'connected' : 'cannot read the log of its node';
  return follower('this node', `read replica: ${state}`, count(head), behind, !isConnected);
}

function follower(name, state, height, behind, isBad) {
  return make(
    'tr',
    { 'data-follower': name },
    make('td', {}, name),
    make('td', isBad ? { class: 'bad' } : {}, state),
    make('td', { class: 'number wide' }, height),
    make('td', { class: 'number' }, behind),
  );
}

startSearch();
void startNetworkPlots();
followChain({
  onStatus: showStatus,
  onState: (text) => {
    $('live').textContent = text;
    $('live').classList.toggle('is-live', text === 'live');
  },
  onProblem: problem,
  onBlock: noteBlock,
  onBlocks: (now) => {
    blocks = now;
    paint();
    void learnParts();
  },
});
