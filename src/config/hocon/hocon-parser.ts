import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { type HoconNode, type ObjectNode, setField } from './hocon-nodes.js';
import { type Token, tokenize } from './hocon-tokens.js';
import type { Origin } from './hocon-value.js';

export interface IncludeRequest {
  readonly name: string;
  /** Kind of the include. `heuristic` is a quoted name without `file(…)`. Only files can be included. */
  readonly form: 'heuristic' | 'file' | 'url' | 'classpath';
  readonly required: boolean;
  readonly from: Origin;
  /**
   * Path of the object that contains the include. Substitutions of the included file are first looked up relative to
   * this path.
   */
  readonly scope: readonly string[];
}

interface ParseOptions {
  /** File name in error messages. */
  readonly file: string;
  readonly include: (request: IncludeRequest) => ObjectNode;
  readonly scope?: readonly string[];
}

/**
 * Parses HOCON. Does not resolve substitutions.
 * @throws {UsageError} invalid syntax; the message is one sentence with `file: line`
 */
export function parseHocon(text: string, options: ParseOptions): ObjectNode {
  return new Parser(tokenize(text, options.file), options).root();
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly options: ParseOptions;
  /** Path of the object that is being parsed. */
  private scope: readonly string[];
  private at = 0;
  private listDepth = 0;

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.tokens = tokens;
    this.options = options;
    this.scope = options.scope ?? [];
  }

  root(): ObjectNode {
    this.skipNewlines();
    const first = this.peek();
    if (first.kind === '[') throw this.error('has type LIST rather than object at file root', first);
    if (first.kind !== '{') return this.object('end');
    const object = this.object('}');
    this.skipNewlines();
    const after = this.peek();
    if (after.kind !== 'end') throw this.error(`text after the end of the document: '${after.text}'`, after);
    return object;
  }

  private object(closing: '}' | 'end'): ObjectNode {
    const origin = this.origin(this.peek());
    if (closing === '}') this.at++;
    const fields = new Map<string, HoconNode>();
    for (;;) {
      this.skipNewlines();
      const token = this.peek();
      if (token.kind === closing) break;
      this.field(fields);
      if (!this.separator(closing)) break;
    }
    this.at++;
    return { kind: 'object', fields, origin };
  }

  private field(fields: Map<string, HoconNode>): void {
    const token = this.peek();
    if (token.kind === 'text' && token.text === 'include') {
      this.at++;
      for (const [key, node] of this.include(token).fields) setField(fields, key, node);
      return;
    }
    const path = this.key();
    this.skipNewlines();
    const sign = this.peek();
    if (sign.kind !== '{') {
      if (sign.kind !== '=' && sign.kind !== ':' && sign.kind !== '+=')
        throw this.error(`key '${path.join('.')}' may not be followed by ${show(sign)}`, sign);
      this.at++;
    }
    const outer = this.scope;
    this.scope = [...outer, ...path];
    const value = sign.kind === '+=' ? this.appended(sign) : this.value(path.join('.'));
    this.scope = outer;
    const nested = path
      .slice(1)
      .reduceRight<HoconNode>(
        (node, name) => ({ kind: 'object', fields: new Map([[name, node]]), origin: this.origin(sign) }),
        value,
      );
    setField(fields, itemAt(path, 0), nested);
  }

  /** Parses `a += x` as `a = ${?a} [x]`. */
  private appended(sign: Token): HoconNode {
    if (this.listDepth > 0) throw this.error('+= does not work nested inside a list', sign);
    const origin = this.origin(sign);
    const text = `\${?${this.scope.join('.')}}`;
    const item = this.value(this.scope.join('.'));
    return {
      kind: 'concat',
      origin,
      parts: [
        { kind: 'reference', paths: [this.scope], optional: true, text, origin },
        { kind: 'list', items: [item], origin },
      ],
    };
  }

  private key(): string[] {
    const start = this.peek();
    const tokens: Token[] = [];
    for (;;) {
      const token = this.peek();
      if (token.kind !== 'blank' && !isPiece(token)) break;
      tokens.push(token);
      this.at++;
    }
    if (tokens.length === 0) throw this.error(`expecting a field name, got ${show(start)}`, start);
    return this.path(tokens, start);
  }

  /** Splits a path at dots outside of quotes. White space inside a name is part of the name. */
  private path(tokens: readonly Token[], start: Token): string[] {
    const names: { text: string; quoted: boolean }[] = [{ text: '', quoted: false }];
    for (const token of trimBlank(tokens)) {
      if (token.kind !== 'blank' && !isPiece(token)) throw this.error(`${show(token)} is not allowed in a path`, token);
      const [first = '', ...rest] = token.kind === 'quoted' ? [token.text] : token.text.split('.');
      const last = itemAt(names, names.length - 1);
      last.text += first;
      last.quoted ||= token.kind === 'quoted';
      for (const text of rest) names.push({ text, quoted: false });
    }
    if (names.some(({ text, quoted }) => text === '' && !quoted))
      throw this.error(
        `path '${tokens.map((token) => token.text).join('')}' has an empty name (use quotes "" for one)`,
        start,
      );
    return names.map(({ text }) => text);
  }

  private value(key: string): HoconNode {
    this.skipNewlines();
    const start = this.peek();
    const parts: HoconNode[] = [];
    for (;;) {
      const part = this.part();
      if (part === undefined) break;
      parts.push(part);
    }
    while (parts[parts.length - 1]?.kind === 'blank') parts.pop();
    const [only] = parts;
    if (only === undefined) throw this.error(`expecting a value for key '${key}', got ${show(start)}`, start);
    return parts.length === 1 ? only : { kind: 'concat', parts, origin: this.origin(start) };
  }

  private part(): HoconNode | undefined {
    const token = this.peek();
    const origin = this.origin(token);
    if (token.kind === '{') return this.object('}');
    if (token.kind === '[') return this.list();
    if (token.kind !== 'blank' && token.kind !== 'reference' && !isPiece(token)) return undefined;
    this.at++;
    if (token.kind === 'reference') {
      const path = this.path(token.path, token);
      const scope = this.options.scope ?? [];
      const paths = scope.length === 0 ? [path] : [[...scope, ...path], path];
      return { kind: 'reference', paths, optional: token.optional, text: token.text, origin };
    }
    if (token.kind === 'quoted') return { kind: 'string', text: token.text, origin };
    if (token.kind === 'text') return { kind: 'string', text: token.text, origin, unquoted: true };
    if (token.kind === 'null') return { kind: 'null', text: 'null', origin };
    return { kind: token.kind, text: token.text, origin } as HoconNode; // The other kinds of tokens are number, boolean and blank.
  }

  private list(): HoconNode {
    const origin = this.origin(this.peek());
    const items: HoconNode[] = [];
    this.at++;
    this.listDepth++;
    for (;;) {
      this.skipNewlines();
      if (this.peek().kind === ']') break;
      items.push(this.value(`${this.scope.join('.')}[${items.length}]`));
      if (!this.separator(']')) break;
    }
    this.at++;
    this.listDepth--;
    return { kind: 'list', items, origin };
  }

  /** Reads a comma or line breaks between two elements. @returns false if the closing bracket follows */
  private separator(closing: '}' | ']' | 'end'): boolean {
    const before = this.at;
    this.skipNewlines();
    const token = this.peek();
    if (token.kind === closing) return false;
    if (token.kind === ',') {
      this.at++;
      return true;
    }
    const brokenLine = this.tokens.slice(before, this.at).some(({ kind }) => kind === 'newline');
    if (brokenLine && token.kind !== 'end') return true;
    const expected = closing === 'end' ? 'a line break' : `'${closing}'`;
    throw this.error(`expecting ${expected} or a comma, got ${show(token)}`, token);
  }

  private include(keyword: Token): ObjectNode {
    const opening = this.peekSkippingBlank();
    let form = '';
    if (opening.kind === 'text') {
      form = opening.text;
      this.at++;
    }
    const name = this.peekSkippingBlank();
    const parsed = /^(required\()?(?:(file|url|classpath)\()?$/.exec(form);
    if (name.kind !== 'quoted' || parsed === null)
      throw this.error(`include is not followed by a quoted name, but by ${show(opening)}`, keyword);
    this.at++;
    const closers = ')'.repeat((parsed[1] ? 1 : 0) + (parsed[2] ? 1 : 0));
    let closed = '';
    while (closed.length < closers.length) {
      const token = this.peekSkippingBlank();
      if (token.kind !== 'text' || !/^\)+$/.test(token.text)) throw this.error(`include is not closed with ')'`, token);
      closed += token.text;
      this.at++;
    }
    return this.options.include({
      name: name.text,
      form: (parsed[2] as 'file' | 'url' | 'classpath' | undefined) ?? 'heuristic',
      required: parsed[1] !== undefined,
      from: this.origin(keyword),
      scope: this.scope,
    });
  }

  private skipNewlines(): void {
    for (let { kind } = this.peek(); kind === 'newline' || kind === 'blank'; { kind } = this.peek()) this.at++;
  }

  private peekSkippingBlank(): Token {
    while (this.peek().kind === 'blank') this.at++;
    return this.peek();
  }

  /** Returns the current token. The last token is always `end`, and the parser never reads beyond it. */
  private peek(): Token {
    return itemAt(this.tokens, Math.min(this.at, this.tokens.length - 1));
  }

  private origin(token: Token): Origin {
    return { file: this.options.file, line: token.line };
  }

  private error(what: string, token: Token): UsageError {
    return new UsageError(`${this.options.file}: ${token.line}: ${redact(what)}`);
  }
}

function isPiece(token: Token): boolean {
  return ['quoted', 'text', 'number', 'boolean', 'null'].includes(token.kind);
}

function trimBlank(tokens: readonly Token[]): readonly Token[] {
  let [start, end] = [0, tokens.length];
  while (tokens[start]?.kind === 'blank') start++;
  while (end > start && tokens[end - 1]?.kind === 'blank') end--;
  return tokens.slice(start, end);
}

function show(token: Token): string {
  return token.kind === 'end' || token.kind === 'newline' ? token.text : `'${token.text}'`;
}

/** Returns a text without long hex numbers, so that a private key at a wrong position is not written to a log. */
export function redact(text: string): string {
  return text.replace(/[0-9a-fA-F]{32,}/g, '<hidden>');
}
