import ts from 'typescript';
import { parseSource, sourcePaths } from './source-files.js';

/**
 * Returns the codes of the program's own errors, each with the files that throw it. The code is in `new
 * TronError('CODE', …)`, or in `super('CODE', …)` of a subclass. Errors that java-tron also has (exceptions, disconnect
 * reasons, contract results) keep java-tron's names and are not listed.
 */
export function errorCodes(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of sourcePaths('src')) {
    const visit = (node: ts.Node): void => {
      const code = codeOf(node);
      if (code !== undefined) found.set(code, [...(found.get(code) ?? []), path]);
      ts.forEachChild(node, visit);
    };
    visit(parseSource(path));
  }
  return found;
}

const CODE = /^[A-Z][A-Z0-9_]+$/;

function codeOf(node: ts.Node): string | undefined {
  const isMade = ts.isNewExpression(node) && node.expression.getText() === 'TronError';
  const isSuper = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
  if (!isMade && !isSuper) return undefined;
  const [first] = (node as ts.NewExpression | ts.CallExpression).arguments ?? [];
  return first !== undefined && ts.isStringLiteral(first) && CODE.test(first.text) ? first.text : undefined;
}
