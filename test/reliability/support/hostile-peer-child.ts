import { createInterface } from 'node:readline';
import { HostilePeer } from './hostile-peer.js';
import { largestMessages } from './largest-messages.js';

/**
 * Reads names of messages from standard input, one per line. For each name, opens a connection, sends the message, and
 * prints a line with the reaction of the node.
 */
const [, , port = '', networkId = '', grown = ''] = process.argv;
for await (const name of createInterface({ input: process.stdin })) {
  const isBehind = name.includes('behind');
  const peer = await HostilePeer.dial({ port: Number(port), networkId: Number(networkId), isBehind });
  peer.say(...(await largestMessages[name]!(peer, Number(grown))));
  process.stdout.write(`${await peer.done()}\n`);
  peer.close();
}
process.exit(0);
