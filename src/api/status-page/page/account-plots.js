import { compact, complaint, make, part, time, trx } from './format.js';
import { ask } from './node.js';
import { heightsBetween, plot } from './plot.js';
import { accountAt, STATUS } from './queries.js';

/** Maximum number of heights at which a query reads the account. */
const SAMPLES = 24;
/** Maximum number of times that the range is narrowed to the lifetime of a young account. */
const ZOOMS_MAX = 4;
/** Ranges that the user can choose, in blocks below the head; undefined means all blocks. */
const RANGES = [
  ['All', undefined],
  ['10,000 blocks', 10_000],
  ['1,000 blocks', 1000],
  ['100 blocks', 100],
];

/** Returns plots of stake, energy, bandwidth and balance of an account over time. */
export function accountPlots(address) {
  const body = make('div', { class: 'plots', id: 'account-plots' }, make('p', { class: 'quiet' }, 'Loading history…'));
  const buttons = RANGES.map(([name, blocks]) => {
    const button = make('button', { type: 'button', 'aria-pressed': String(blocks === undefined) }, name);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      void show(blocks);
    });
    return button;
  });
  async function show(blocks) {
    try {
      body.replaceChildren(...figures(await samples(address, blocks)));
    } catch (error) {
      body.replaceChildren(complaint(error));
    }
  }
  void show();
  return part('Over time', make('div', { class: 'choice' }, buttons), body);
}

/** Returns the account at some heights of a range, oldest first. Omits heights before its creation. */
async function samples(address, blocks) {
  const { status } = await ask(STATUS);
  const head = Number(status.headNumber);
  let first = Math.max(Number(status.keptHeight), blocks === undefined ? 0 : head - blocks);
  for (let zoom = 0; ; zoom++) {
    const heights = heightsBetween(first, head, SAMPLES);
    const found = await ask(accountAt(heights), { address });
    const all = heights.map((height, at) => ({ height, time: found[`b${at}`]?.timestamp, state: found[`a${at}`] }));
    const born = all.findIndex(({ state }) => state);
    if (born < all.length / 2 || zoom === ZOOMS_MAX || head - first < SAMPLES) return all.filter(({ state }) => state);
    first = all[Math.max(0, born - 1)].height;
  }
}

const inTrx = (...amounts) => Number(amounts.reduce((sum, one) => sum + BigInt(one), 0n)) / 1e6;

function figures(found) {
  const points = found.map(({ height, time: ms }) => ({ x: height, label: ms ? time(ms) : `block ${height}` }));
  const values = (of) => found.map(({ state }) => of(state));
  const energy = ({ stakeV1, stakeV2 }) => inTrx(stakeV1.energy, stakeV2.energy, stakeV2.delegatedEnergy);
  const bandwidth = ({ stakeV1, stakeV2 }) => inTrx(stakeV1.bandwidth, stakeV2.bandwidth, stakeV2.delegatedBandwidth);
  const used = (title, tone, of, empty) => {
    const figure = plot({ title, points, series: [{ name: title, values: values(of) }], format: compact, empty });
    figure.classList.add(tone);
    return figure;
  };
  return [
    plot({
      title: 'Stake, TRX',
      points,
      series: [
        { name: 'for energy', values: values(energy) },
        { name: 'for bandwidth', values: values(bandwidth) },
      ],
      format: compact,
      empty: 'Nothing was staked in this period.',
    }),
    plot({
      title: 'Balance',
      points,
      series: [{ name: 'balance', values: values(({ balance }) => Number(balance) / 1e6) }],
      format: (value) => (value >= 1e5 ? `${compact(value)} TRX` : trx(Math.round(value * 1e6))),
      isFloating: true,
    }),
    used(
      'Energy in use',
      'tone0',
      ({ resources }) => Number(resources.energyUsed),
      'No energy was used in this period.',
    ),
    used(
      'Bandwidth in use, bytes',
      'tone1',
      ({ resources }) => Number(resources.netUsed) + Number(resources.freeNetUsed),
      'No bandwidth was used in this period.',
    ),
  ];
}
