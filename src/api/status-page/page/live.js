import { ask } from './node.js';
import { LIVE, LIVE_STATUS, RECENT, STATUS } from './queries.js';

/** Maximum number of blocks in memory. The list of transactions needs many blocks if most of them are empty. */
const BLOCKS_MAX = 200;
const RETRY_MS = 2000;

/**
 * Follows the chain while the page is open. Reconnects after a lost connection.
 * @param listeners onStatus(status); onBlocks(blocks), newest first; onBlock(block) for each new block;
 * onState(text) of the connection; onProblem(text), undefined after recovery
 */
export function followChain(listeners) {
  let blocks = [];
  /** Position from which the live stream continues after a lost connection. */
  let cursor;

  function take({ cursor: next, kind, block }) {
    cursor = next;
    blocks = blocks.filter(({ id }) => id !== block.id);
    if (kind === 'APPLIED') blocks = [block, ...blocks].slice(0, BLOCKS_MAX);
    listeners.onBlocks(blocks);
    if (kind === 'APPLIED') listeners.onBlock(block);
  }

  function follow() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => send({ type: 'connection_init' });
    socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === 'connection_ack') {
        listeners.onState('live');
        send({ id: 'blocks', type: 'subscribe', payload: { query: LIVE, variables: { after: cursor } } });
        send({ id: 'status', type: 'subscribe', payload: { query: LIVE_STATUS } });
      } else if (type === 'next' && payload.data?.status) listeners.onStatus(payload.data.status);
      else if (type === 'next' && payload.data) take(payload.data.blocks);
      else if (type === 'ping') send({ type: 'pong' });
      else if (type === 'error') {
        // A node with new data does not know the cursor. Start again from its current blocks.
        if (payload[0]?.extensions?.code === 'BAD_CURSOR') cursor = undefined;
        socket.close();
      }
    };
    socket.onclose = () => {
      listeners.onState('connection lost, trying again…');
      listeners.onProblem('The node does not respond. Trying again.');
      setTimeout(begin, RETRY_MS);
    };
  }

  async function begin() {
    if (cursor === undefined) {
      try {
        // Reads the cursor first. A block between the two queries is then in both results, and shown once.
        const { status } = await ask(STATUS);
        const recent = await ask(RECENT);
        blocks = recent.blocks.nodes;
        listeners.onStatus(status);
        cursor = status.cursor;
        listeners.onBlocks(blocks);
      } catch (error) {
        listeners.onProblem(`${error.message} Trying again.`);
        setTimeout(begin, RETRY_MS);
        return;
      }
    }
    follow();
  }

  void begin();
}
