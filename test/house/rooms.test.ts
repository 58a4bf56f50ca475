import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOMS } from './rooms.js';
import { ROOT, readSources } from './source-files.js';

const sources = readSources('src');

t.test('a room imports only what its row names, types too', async (t) => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    const allowed = ROOMS[room] ?? [];
    const targets = new Set(imports.map(([target]) => target).filter((target) => target.startsWith('src/')));
    return [...targets]
      .filter((target) => roomOf(target) !== room)
      .filter((target) => !allowed.some((name) => target.startsWith(`src/${name}/`)))
      .map((target) => `${path} -> ${target}`);
  });
  t.same(wrong, []);
});

t.test('every room has a row, and a row names only rooms before it', async (t) => {
  const names = Object.keys(ROOMS);
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.same(folders.map(({ name }) => name).sort(), [...names].sort());
  for (const [at, name] of names.entries()) {
    const later = (ROOMS[name] ?? []).filter((other) => !names.slice(0, at).includes(other.split('/')[0] ?? ''));
    t.same(later, [], name);
  }
});

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}
