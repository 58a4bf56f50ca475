import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-files.js';

/** One comment of a source file, without its delimiters. */
export interface Comment {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Matches first words that make a comment a fragment and not a sentence. */
const FRAGMENT = /^(?:What|Who|Whom|Whose|Which|Whether|Of|By|Where)\b/;

/**
 * Words that this project once used in a private sense, each with the usual technical word. `docs/writing.md` has the
 * reasons. The spell checker flags the same words.
 */
export const FLAGGED_WORDS: Readonly<Record<string, string>> = {
  anew: 'again',
  asks: 'requests, queries',
  asked: 'requested, queried',
  bell: 'notifier',
  crier: 'log emitter',
  dice: 'random choices',
  puppet: 'proxy',
  spoil: 'mutate',
  spoilt: 'mutated',
  costly: 'expensive',
  dear: 'expensive',
  dearer: 'more expensive',
  dearest: 'most expensive',
  differing: 'mismatched, rejected',
  greediest: 'with the most items',
  hears: 'receives, is notified',
  heard: 'received, was notified',
  irreversible: 'solidified',
  kin: 'related',
  lent: 'delegated',
  lends: 'delegates',
  mend: 'fix',
  mended: 'fixed',
  mends: 'fixes',
  nobody: 'no caller, no peer, no client',
  somebody: 'a caller, a peer, a client',
  rejoin: 'reapply',
  rejoins: 'reapplies',
  rush: 'catch-up',
  strangers: 'unauthenticated peers',
  tells: 'notifies, emits, sends',
  told: 'notified, emitted, sent',
  whoever: 'a caller, a peer',
};

/** Matches phrases that this project once used in a private sense. */
const FLAGGED_PHRASES =
  /\b(?:what waits|is none|are none|tak(?:e|es|en|ing) back|tak(?:e|es|en|ing) apart|hand(?:s|ed|ing)? (?:on|over)|stands? still|lets? go|again and again|makes? place|so many|so long as|for ever)\b/i;

const FLAGGED = new RegExp(`\\b(?:${Object.keys(FLAGGED_WORDS).join('|')})\\b`, 'i');

/** Returns the rule that a comment or a paragraph breaks; undefined if it breaks none. */
export function languageFault(text: string): string | undefined {
  const prose = text.replaceAll(/`[^`]*`|\{@link [^}]*\}|https?:\S+/g, '');
  const fragment = FRAGMENT.exec(prose.trim());
  if (fragment !== null) return `starts with ${fragment[0]}`;
  const word = FLAGGED.exec(prose) ?? FLAGGED_PHRASES.exec(prose);
  return word === null ? undefined : `says "${word[0]}"`;
}

/** Returns the comments of a file. Adjacent lines of `//` form one comment. */
export function commentsOf(path: string): readonly Comment[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) found.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.getEnd()) ?? []) found.set(range.pos, range);
    ts.forEachChild(node, visit);
  };
  visit(file);
  visit(file.endOfFileToken);
  const comments: Comment[] = [];
  let lastLine = -1;
  for (const range of [...found.values()].sort((a, b) => a.pos - b.pos)) {
    const raw = source.slice(range.pos, range.end);
    if (raw.includes('biome-ignore')) continue;
    const line = file.getLineAndCharacterOfPosition(range.pos).line + 1;
    const text = raw
      .replace(/^\/\*+|\*\/$/g, '')
      .split('\n')
      .map((part) => part.replace(/^\s*(?:\*|\/\/) ?/, ''))
      .join(' ')
      .trim();
    const last = comments.at(-1);
    if (raw.startsWith('//') && last !== undefined && lastLine === line - 1) {
      comments[comments.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else comments.push({ path, line, text });
    lastLine = file.getLineAndCharacterOfPosition(range.end).line + 1;
  }
  return comments;
}
