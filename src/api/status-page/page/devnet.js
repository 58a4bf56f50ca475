/** Panel of a private network: mines blocks, advances the clock, sends TRX. Only private networks serve it. */
import { $, count, link, make, short } from './format.js';
import { post } from './node.js';

const JUMP_DAYS = 14;
const DAY_S = 86_400;

function say(isBad, ...parts) {
  $('devnet-said').className = isBad ? 'bad' : 'good';
  $('devnet-said').replaceChildren(...make('span', {}, ...parts).childNodes);
}

/** Runs one action at a time and shows its result. */
async function run(act) {
  const buttons = $('devnet').querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  try {
    say(false, ...(await act()));
  } catch (error) {
    say(true, error.message);
  }
  for (const button of buttons) button.disabled = false;
}

const mine = async () => {
  const { head } = await post('/devnet/mine', { blocks: 1 });
  return ['Mined ', link(`block ${count(head)}`, String(head)), '.'];
};

$('mine').addEventListener('click', () => run(mine));

$('jump').addEventListener('click', () =>
  run(async () => {
    await post('/devnet/increase-time', { seconds: JUMP_DAYS * DAY_S });
    return [`The clock is ${JUMP_DAYS} days ahead. `, ...(await mine())];
  }),
);

$('faucet').addEventListener('submit', (event) => {
  event.preventDefault();
  void run(async () => {
    const address = $('faucet-address').value.trim();
    const { transaction, trx } = await post('/devnet/faucet', { address, trx: Number($('faucet-trx').value) });
    const sent = `${trx.toLocaleString()} TRX were sent to ${short(address)}: `;
    return [sent, link(`transaction ${short(transaction)}`, transaction), '.'];
  });
});
