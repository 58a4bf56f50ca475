import { $, compact, count, time } from './format.js';
import { ask } from './node.js';
import { heightsBetween, plot } from './plot.js';
import { NETWORK, networkAt, STATUS, USAGE } from './queries.js';

/** Number of blocks in the bar charts. */
const BARS_MAX = 60;
/** Number of heights at which the stake is read at the start. */
const SAMPLES = 24;
/** Maximum number of stake values in memory, including the values that are read later. */
const SAMPLES_MAX = 200;
/** Minimum time between two reads of the stake, in milliseconds. */
const LOOK_MS = 3000;

/** Block usage and stake, oldest first. */
let usage = [];
let stake = [];
let stakeProblem;
let lookedAt = 0;
let isPainting = false;

/** Adds the bar of a new block, and reads the stake at intervals. */
export function noteBlock({ number, timestamp, transactionCount, usage: used }) {
  usage = [
    ...usage.filter((one) => Number(one.number) < Number(number)),
    { number, timestamp, transactionCount, ...used },
  ];
  usage = usage.slice(-BARS_MAX);
  paint();
  if (Date.now() - lookedAt < LOOK_MS || stake.length === 0) return;
  lookedAt = Date.now();
  void lookAtStake(timestamp);
}

async function lookAtStake(timestamp) {
  try {
    const { network } = await ask(NETWORK);
    stake = [
      ...stake.filter(({ height }) => height < Number(network.height)),
      sampleOf(network.height, network, timestamp),
    ];
    stake = stake.slice(-SAMPLES_MAX);
    paint();
  } catch {
    // The stake is read again after a later block.
  }
}

const sampleOf = (height, { energyStake, bandwidthStake }, timestamp) => ({
  height: Number(height),
  energy: Number(energyStake),
  bandwidth: Number(bandwidthStake),
  timestamp,
});

export async function startNetworkPlots() {
  try {
    const { blocks } = await ask(USAGE);
    const older = [...blocks.nodes].reverse().map(({ usage: used, ...block }) => ({ ...block, ...used }));
    const first = Number(usage[0]?.number ?? Number.POSITIVE_INFINITY);
    usage = [...older.filter(({ number }) => Number(number) < first), ...usage].slice(-BARS_MAX);
    const { status } = await ask(STATUS);
    const heights = heightsBetween(Number(status.keptHeight), Number(status.headNumber), SAMPLES);
    const found = await ask(networkAt(heights));
    stake = heights.map((height, at) => sampleOf(height, found[`a${at}`], found[`b${at}`]?.timestamp ?? 0));
  } catch (error) {
    stakeProblem = error.message;
  }
  paint();
}

function paint() {
  if (isPainting) return;
  isPainting = true;
  requestAnimationFrame(() => {
    isPainting = false;
    // Do not replace a plot under the mouse pointer.
    if ($('plots').matches(':hover') && $('plots').childElementCount > 0) return;
    $('plots').replaceChildren(...figures());
  });
}

function figures() {
  const points = usage.map(({ number }) => ({ x: Number(number), label: `block ${count(number)}` }));
  const bars = (title, key, index, empty) => {
    const series = [{ name: title, values: usage.map((one) => Number(one[key])) }];
    const figure = plot({ title, points, series, format: compact, kind: 'bars', empty });
    figure.classList.add(`tone${index}`);
    return figure;
  };
  return [
    bars('Energy per block', 'energy', 0, 'No energy was used in the last blocks.'),
    bars('Bandwidth per block, bytes', 'bandwidth', 1, 'No bandwidth was used in the last blocks.'),
    plot({
      title: 'Stake in the network, TRX',
      points: stake.map(({ height, timestamp }) => ({ x: height, label: time(timestamp) })),
      series: [
        { name: 'for energy', values: stake.map(({ energy }) => energy) },
        { name: 'for bandwidth', values: stake.map(({ bandwidth }) => bandwidth) },
      ],
      format: compact,
      empty: stakeProblem ?? 'Nothing is staked.',
    }),
  ];
}
