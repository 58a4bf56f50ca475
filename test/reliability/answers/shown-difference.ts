import type { Question } from './question.js';
import type { Difference } from './two-nodes.js';

const SHOWN_CHARACTERS = 2_000;

/** Formats a request and both answers for the report of a mismatch. Shortens long texts. */
export function shownDifference({ question, theirs, ours }: NonNullable<Difference>): string {
  return `${cut(textOf(question))}\n   java-tron: ${cut(theirs)}\n   here:      ${cut(ours)}`;
}

function cut(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS);
}

function textOf({ protocol, server, method, path, contentType = '', body }: Question): string {
  const text = protocol === 'grpc' ? body?.toString('hex') : body?.toString();
  return [protocol, server, method, path, contentType, text ?? ''].join(' ');
}
