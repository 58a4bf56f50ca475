import type { EventLine } from '../api/follow/follow-lines.js';
import { type Following, follow } from './follow.js';
import type { CheckedHeader } from './light-chain.js';

/** Maximum number of rows in each list. */
const ROWS_MAX = 40;
/**
 * Number of headers that are requested at the start. With 27 witnesses, they are enough to count solidified blocks
 * immediately.
 */
const LAST_HEADERS = 60;

const at = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const form = at<HTMLFormElement>('form');
const address = at<HTMLInputElement>('address');
const contracts = at<HTMLInputElement>('contracts');
const state = at('state');
const headers = at('headers');
const events = at('events');
const rows = new Map<string, HTMLElement>();
let following: Following | undefined;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void start();
});
void suggestAddress();

/** Sets the address field to the address of the node that served this page. */
async function suggestAddress(): Promise<void> {
  const { addresses } = (await (await fetch('/follow/node.json')).json()) as { addresses: readonly string[] };
  const [first] = addresses;
  if (first === undefined) return;
  const { hostname } = location;
  const host = /^[\d.]+$/.test(hostname) ? `/ip4/${hostname}` : `/dns4/${hostname}`;
  address.value = first.replace(/^\/ip[46]\/[^/]+/, host);
  await start();
}

async function start(): Promise<void> {
  following?.stop();
  for (const list of [headers, events]) list.replaceChildren();
  rows.clear();
  show('connects', 'connecting …');
  const wanted = contracts.value.split(/[\s,]+/).filter((text) => text !== '');
  try {
    following = await follow(
      address.value,
      { last: LAST_HEADERS, contracts: wanted },
      {
        applied: addHeader,
        reverted: ({ id }) => {
          rows.get(id)?.classList.add('reverted');
          rows.delete(id);
        },
        event: addEvent,
        ended: (error) => show(error === undefined ? 'ended' : 'failed', error?.message ?? 'ended'),
      },
    );
    if (state.dataset['state'] === 'connects') show('follows', 'connected, waiting for a block');
  } catch (error) {
    show('failed', (error as Error).message);
  }
}

function addHeader(header: CheckedHeader): void {
  const row = rowOf(String(header.number), header.id, header.witness, new Date(header.timeMs).toISOString());
  rows.set(header.id, row);
  add(headers, row);
  const solidified = following?.chain.solidified;
  for (const known of following?.chain.known ?? [])
    rows.get(known.id)?.classList.toggle('solid', known.number <= (solidified?.number ?? 0));
  show('follows', `block ${header.number}, solidified ${solidified?.number ?? 'not known yet'}`);
}

function addEvent({ block, transaction, contract, topics, data }: EventLine): void {
  const number = String(Number.parseInt(block.slice(0, 16), 16));
  add(events, rowOf(number, transaction, contract, `${topics.join(' ')} ${data}`));
}

function rowOf(...cells: readonly string[]): HTMLElement {
  const row = document.createElement('tr');
  for (const text of cells) row.insertCell().textContent = text;
  return row;
}

function add(list: HTMLElement, row: HTMLElement): void {
  list.prepend(row);
  while (list.childElementCount > ROWS_MAX) list.lastElementChild?.remove();
}

function show(name: string, text: string): void {
  state.dataset['state'] = name;
  state.textContent = text;
}
