import type { Act } from '../act.js';
import { blocks, news, transactions } from './announcements.js';
import { datagrams } from './datagrams.js';
import { again, doubles, firstContact, hellos } from './handshakes.js';
import { questions } from './questions.js';
import { strangeWords } from './strange.js';
import { syncs } from './syncs.js';

/** Every kind of play by its name. */
export const acts: Readonly<Record<string, Act>> = {
  firstContact,
  doubles,
  again,
  hellos,
  datagrams,
  questions,
  strangeWords,
  transactions,
  blocks,
  news,
  syncs,
};
