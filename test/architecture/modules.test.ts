import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MODULES } from './modules.js';
import { ROOT, readSources } from './source-files.js';

const sources = readSources('src');
const names = Object.keys(MODULES);

t.test('a module imports only the modules that its row names, type imports included', async (t) => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const module = moduleOf(path);
    const allowed = MODULES[module] ?? [];
    const targets = new Set(imports.map(([target]) => target).filter((target) => target.startsWith('src/')));
    return [...targets]
      .filter((target) => moduleOf(target) !== module && !allowed.includes(moduleOf(target)))
      .filter((target) => !allowed.some((name) => name.includes('/') && target.startsWith(`src/${name}/`)))
      .map((target) => `${path} -> ${target}`);
  });
  t.same(wrong, []);
});

t.test('every folder of src has a row, which names only earlier modules', async (t) => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.same(folders.map(({ name }) => name).sort(), names.filter((name) => !name.includes('/')).sort());
  for (const [index, name] of names.entries()) {
    const later = (MODULES[name] ?? []).filter((other) => {
      const known = names.includes(other) ? other : (other.split('/')[0] ?? '');
      return !names.slice(0, index).includes(known);
    });
    t.same(later, [], name);
  }
});

/** Returns the module of a file. If several module folders contain the file, it is the one with the longest name. */
function moduleOf(path: string): string {
  const folders = path.split('/').slice(1, -1);
  for (let length = folders.length; length > 0; length--) {
    const name = folders.slice(0, length).join('/');
    if (names.includes(name)) return name;
  }
  return folders[0] ?? '';
}
