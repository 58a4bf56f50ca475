/**
 * Parsed JSON whose scalars keep their original text. Unlike a JavaScript object, it can have invalid scalars and
 * duplicate names.
 */
export type JsonTree =
  | { readonly kind: 'object'; readonly members: [name: string, value: JsonTree][] }
  | { readonly kind: 'array'; readonly items: JsonTree[] }
  | { readonly kind: 'raw'; readonly text: string };

export function raw(text: string): JsonTree {
  return { kind: 'raw', text };
}

/** Parses a text. Returns undefined if the text is not JSON. */
export function parseTree(text: string): JsonTree | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return new TreeReader(text).value();
}

export function printTree(tree: JsonTree): string {
  if (tree.kind === 'raw') return tree.text;
  if (tree.kind === 'array') return `[${tree.items.map(printTree).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${name}:${printTree(value)}`).join(',')}}`;
}

/** Calls `call` for each field of each object in the tree. The names include their quotes. */
export function eachMember(tree: JsonTree, call: (name: string, value: JsonTree) => void): void {
  if (tree.kind === 'array') for (const item of tree.items) eachMember(item, call);
  if (tree.kind !== 'object') return;
  for (const [name, value] of tree.members) {
    call(name, value);
    eachMember(value, call);
  }
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

/** Reads a text that is valid JSON. */
class TreeReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): JsonTree {
    const first = this.token();
    if (first === '{') return { kind: 'object', members: this.members() };
    if (first === '[') return { kind: 'array', items: this.items() };
    return raw(first);
  }

  private members(): [string, JsonTree][] {
    const members: [string, JsonTree][] = [];
    if (this.peek() === '}') this.token();
    else
      do {
        const name = this.token();
        this.token();
        members.push([name, this.value()]);
      } while (this.token() === ',');
    return members;
  }

  private items(): JsonTree[] {
    const items: JsonTree[] = [];
    if (this.peek() === ']') this.token();
    else
      do {
        items.push(this.value());
      } while (this.token() === ',');
    return items;
  }

  private peek(): string {
    const { at } = this;
    const token = this.token();
    this.at = at;
    return token;
  }

  private token(): string {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (found?.[1] === undefined) throw new Error(`no JSON at ${this.at}`);
    this.at = TOKEN.lastIndex;
    return found[1];
  }
}
