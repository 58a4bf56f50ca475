import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A file of the program or its tests. */
export interface SourceFile {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  /** Names that the file declares and exports. Re-exports are excluded. */
  readonly exports: readonly string[];
  /** Files of the repository that the file imports, each with the imported name. The name is `*` for all names. */
  readonly imports: readonly (readonly [path: string, name: string])[];
}

/** Reads all TypeScript files in some folders and their subfolders. For generated files, it reads only the imports. */
export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) => sourcePaths(folder).map(readSource));
}

/** Returns the paths of all TypeScript files in a folder and its subfolders. */
export function sourcePaths(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
}

export function parseSource(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

function readSource(path: string): SourceFile {
  const file = parseSource(path);
  const exports: string[] = [];
  const imports: (readonly [string, string])[] = [];
  const take = (specifier: ts.Node | undefined, names: readonly string[]): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const target = targetOf(path, specifier.text);
    if (target !== undefined) for (const name of names) imports.push([target, name]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) take(node.moduleSpecifier, namesOf(node.importClause?.namedBindings));
    else if (ts.isExportDeclaration(node)) take(node.moduleSpecifier, namesOf(node.exportClause));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) take(node.argument.literal, ['*']);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0], ['*']);
    else if (isExported(node)) exports.push(...declaredNames(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { path: path.replaceAll('\\', '/'), exports: path.includes('generated') ? [] : exports, imports };
}

function namesOf(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): readonly string[] {
  if (bindings === undefined || !('elements' in bindings)) return ['*'];
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.[0]?.kind === ts.SyntaxKind.ExportKeyword;
}

function declaredNames(node: ts.Node): readonly string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const { name } = node as ts.NamedDeclaration;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

/** Returns the path of a relative import; undefined for an import of a package. */
function targetOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(ROOT, dirname(from), specifier.replace(/\.js$/, '.ts'));
  return relative(ROOT, target).replaceAll('\\', '/');
}
