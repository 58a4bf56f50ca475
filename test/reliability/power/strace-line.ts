/** A completed system call in the output of `strace -f -y`. */
export interface SystemCall {
  readonly name: string;
  /** Arguments as printed. Long texts are included. */
  readonly args: string;
  readonly result: number;
  /** Number of completed calls before this call began. */
  readonly began: number;
}

/** Joins the two lines of a call that another thread interrupted, and splits lines into calls. */
export class StraceLines {
  private readonly unfinished = new Map<string, { readonly text: string; readonly began: number }>();

  /** Returns the call that a line completes; undefined for other lines and for failed calls. */
  next(line: string, completed: number): SystemCall | undefined {
    const space = line.indexOf(' ');
    const thread = line.slice(0, space);
    const text = line.slice(space).trimStart();
    if (text.endsWith(' <unfinished ...>')) {
      this.unfinished.set(thread, { text: text.slice(0, -' <unfinished ...>'.length), began: completed });
      return undefined;
    }
    if (!text.startsWith('<... ')) return callOf(text, completed);
    const start = this.unfinished.get(thread);
    this.unfinished.delete(thread);
    const rest = text.slice(text.indexOf(' resumed>') + ' resumed>'.length);
    return start && callOf(start.text + rest, start.began);
  }
}

function callOf(text: string, began: number): SystemCall | undefined {
  const end = text.lastIndexOf(') ');
  const open = text.indexOf('(');
  const result = /^\)\s+= (\d+)/.exec(text.slice(end))?.[1];
  if (open < 0 || result === undefined) return undefined;
  return { name: text.slice(0, open), args: text.slice(open + 1, end), result: Number(result), began };
}

/** Returns the descriptor and the path of the first argument, such as `20</data/log/data.mdb>`. */
export function descriptorOf(args: string): { readonly key: string; readonly path: string } {
  const path = /^\d+<([^>]*)>/.exec(args)?.[1] ?? '';
  return { key: args.slice(0, args.indexOf('>') + 1), path };
}

/** Returns the texts in double quotes, decoded. Numbers after the last text are in `rest`. */
export function textsOf(args: string): { readonly texts: readonly Buffer[]; readonly rest: string } {
  const texts: Buffer[] = [];
  let at = 0;
  for (let quote = args.indexOf('"', at); quote >= 0; quote = args.indexOf('"', at)) {
    const bytes = Buffer.allocUnsafe(args.length - quote);
    let length = 0;
    at = quote + 1;
    while (args[at] !== '"') {
      if (args[at] === '\\') {
        const [byte, next] = escapedByte(args, at + 1);
        bytes[length++] = byte;
        at = next;
      } else bytes[length++] = args.charCodeAt(at++);
      if (at >= args.length) throw new Error('a text of strace has no end');
    }
    at++;
    if (args.startsWith('...', at)) throw new Error('strace shortened a text');
    texts.push(bytes.subarray(0, length));
  }
  return { texts, rest: args.slice(at) };
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '"': 34, '\\': 92 };

/** Decodes the escape sequence after a backslash: a letter, or one to three octal digits. */
function escapedByte(text: string, at: number): readonly [byte: number, next: number] {
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0];
  if (octal !== undefined) return [Number.parseInt(octal, 8), at + octal.length];
  const byte = ESCAPES[text[at] ?? ''];
  if (byte === undefined) throw new Error(`unknown escape sequence \\${text[at]} in the output of strace`);
  return [byte, at + 1];
}
