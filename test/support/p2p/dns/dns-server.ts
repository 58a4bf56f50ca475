import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import type { Test } from 'tap';

/**
 * Starts a DNS server that answers TXT queries over UDP.
 * @returns the address of the server, and the names of all queries so far
 */
export async function serveDns(t: Test, textsOf: (name: string) => readonly string[] | undefined) {
  const queries: string[] = [];
  const socket = createSocket('udp4', (datagram, { address, port }) => {
    const { id, questions = [] } = decode(datagram);
    const { name } = questions[0]!;
    queries.push(name);
    const texts = textsOf(name);
    const answers = texts === undefined ? [] : [{ type: 'TXT' as const, name, ttl: 1, data: [...texts] }];
    const flags = texts === undefined ? 3 : 0;
    const answer = { type: 'response' as const, ...(id !== undefined && { id }), flags, questions, answers };
    socket.send(encode(answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, queried: queries };
}
