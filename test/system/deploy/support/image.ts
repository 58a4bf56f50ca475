import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const deploy = join(root, 'deploy');

/** An instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** Returns the stages of `deploy/Dockerfile` in order. Instructions before the first stage are omitted. */
export function readDockerfile(): readonly (readonly Instruction[])[] {
  const lines = readFileSync(join(deploy, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, text] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) continue;
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** Returns the words of an instruction whose argument is a JSON list, such as `["node", "…"]`. */
export function wordsOf(stage: readonly Instruction[], name: string): readonly string[] {
  const text = stage.findLast((instruction) => instruction.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/** Returns sources and target of a COPY instruction. */
export function copyOf(text: string): { readonly sources: readonly string[]; readonly target: string } {
  const words = text.split(/ +/).filter((word) => !word.startsWith('--'));
  return { sources: words.slice(0, -1).map((source) => source.replace(/^\/app\//, '')), target: words.at(-1)! };
}

/** Creates a folder with the files of the last stage of the image. The folder of the libraries is a link. */
export function layOut(folder: string): void {
  for (const { name, text } of readDockerfile().at(-1)!) {
    if (name !== 'COPY') continue;
    const { sources, target } = copyOf(text);
    for (const source of sources) {
      const to = join(folder, target.endsWith('/') ? join(target, basename(source)) : target);
      mkdirSync(dirname(to), { recursive: true });
      if (source === 'node_modules') symlinkSync(join(root, source), to);
      else cpSync(join(root, source), to, { recursive: true });
    }
  }
}
